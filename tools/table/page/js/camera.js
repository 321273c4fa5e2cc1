// Pan and zoom: mouse, wheel, two fingers, keyboard. The camera is the view box of the map.
//
// Drawing a large map takes longer than a frame. While it is moved, the browser shifts and scales the picture that it has, which is drawn
// with a margin around the window; it is drawn anew when the hand rests, or when the margin is used up.

import { later, still } from "./dom.js";

/** How much of the window's width and height the picture is larger on each side. */
const MARGIN = 0.3;

/** Keeps the middle of the window where the map fills it, but for a little at the edge; a map that is smaller stays inside. */
function within(at, from, length, window) {
  const edge = Math.min(length, window) / 2 - Math.min(length, window) * 0.12;
  return Math.max(from + edge, Math.min(at, from + length - edge));
}

export class Camera {
  constructor(svg, bounds) {
    this.svg = svg;
    this.stage = svg.parentElement;
    this.bounds = bounds;
    this.soon = later(240, () => this.commit());
    this.zoomed = () => {};
    this.fingers = new Map();
    this.moved = 0;
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    for (const type of ["pointerup", "pointercancel", "pointerleave"]) svg.addEventListener(type, (event) => this.up(event));
    new ResizeObserver(() => this.box && this.keep()).observe(this.stage);
    this.fit();
  }

  size() {
    return { w: this.stage.clientWidth || 800, h: this.stage.clientHeight || 600 };
  }

  /** Shows the whole map. */
  fit() {
    const { w, h } = this.size();
    const { x, y, width, height } = this.bounds;
    const scale = Math.min(w / width, h / height);
    this.look({ x: x + width / 2, y: y + height / 2, scale });
  }

  /** Opens on the whole map, or on its middle at a size at which counters can be read. */
  start(middle) {
    this.fit();
    if (!middle || this.at.scale >= 0.42) return;
    // Nothing but the map is to be seen where the map is large enough.
    const { w, h } = this.size();
    const scale = 0.55;
    const inside = (at, from, length, window) => (length < window ? from + length / 2 : Math.max(from + window / 2, Math.min(at, from + length - window / 2)));
    const { x, y, width, height } = this.bounds;
    this.look({ x: inside(middle.x, x, width, w / scale), y: inside(middle.y, y, height, h / scale), scale });
  }

  /** Looks at a point; `moving` puts off the new picture. */
  look({ x, y, scale }, moving = false) {
    const { w, h } = this.size();
    const least = Math.min(w / this.bounds.width, h / this.bounds.height) * 0.8;
    scale = Math.max(least, Math.min(scale, 6));
    const { bounds } = this;
    x = within(x, bounds.x, bounds.width, w / scale);
    y = within(y, bounds.y, bounds.height, h / scale);
    this.at = { x, y, scale };
    this.box = { x: x - w / scale / 2, y: y - h / scale / 2, w: w / scale, h: h / scale };
    if (moving && this.drawn && this.shift()) this.soon();
    else this.commit();
  }

  /** Draws the picture for where the camera is. */
  commit() {
    this.soon.stop();
    const { w, h } = this.size();
    const { scale } = this.at;
    const [mx, my] = [Math.round(w * MARGIN), Math.round(h * MARGIN)];
    const view = { x: this.box.x - mx / scale, y: this.box.y - my / scale };
    this.drawn = { ...view, scale, mx, my };
    const { style } = this.svg;
    [style.left, style.top, style.width, style.height] = [-mx, -my, w + 2 * mx, h + 2 * my].map((n) => `${n}px`);
    style.transform = "";
    this.svg.setAttribute("viewBox", `${view.x} ${view.y} ${(w + 2 * mx) / scale} ${(h + 2 * my) / scale}`);
    if (this.name) sessionStorage.setItem(this.name, JSON.stringify(this.at));
    this.svg.dataset.detail = scale < 0.28 ? "far" : scale < 0.6 ? "middle" : "near";
    this.zoomed(scale);
  }

  /** Shifts and scales the picture that there is; false if it does not reach. */
  shift() {
    const { w, h } = this.size();
    const { x, y, scale, mx, my } = this.drawn;
    const by = this.at.scale / scale;
    const left = this.at.scale * (x - this.at.x) + w / 2;
    const top = this.at.scale * (y - this.at.y) + h / 2;
    const reaches = left <= 0 && top <= 0 && left + (w + 2 * mx) * by >= w && top + (h + 2 * my) * by >= h;
    if (!reaches && by > 0.7 && by < 1.5) return false;
    this.svg.style.transform = `translate(${left + mx}px, ${top + my}px) scale(${by})`;
    return true;
  }

  keep() {
    this.look(this.at);
  }

  /** Looks at what was looked at before in this window, and keeps it from now on; false if nothing is known. */
  restore(name) {
    this.name = name;
    try {
      const { x, y, scale } = JSON.parse(sessionStorage.getItem(name));
      if (![x, y, scale].every(Number.isFinite)) return false;
      this.look({ x, y, scale });
      return true;
    } catch {
      return false;
    }
  }

  /** Zooms by a factor around a point of the screen, or the middle. */
  zoom(factor, px, py, moving = false) {
    const { w, h } = this.size();
    const [sx, sy] = [px ?? w / 2, py ?? h / 2];
    const scale = Math.max(0.02, Math.min(this.at.scale * factor, 6));
    const [mx, my] = this.toMap(sx, sy);
    this.look({ x: mx - (sx - w / 2) / scale, y: my - (sy - h / 2) / scale, scale }, moving);
  }

  pan(dx, dy, moving = false) {
    this.look({ x: this.at.x + dx / this.at.scale, y: this.at.y + dy / this.at.scale, scale: this.at.scale }, moving);
  }

  /** Whether a point is in the window, and not at its very edge. */
  sees(x, y) {
    const [left, top] = [this.box.w * 0.04, this.box.h * 0.04];
    return x > this.box.x + left && x < this.box.x + this.box.w - left && y > this.box.y + top && y < this.box.y + this.box.h - top;
  }

  /** Moves gently so that a point can be seen. */
  show(x, y, closer = false) {
    const scale = closer ? Math.max(this.at.scale, 0.6) : this.at.scale;
    const { w, h } = this.size();
    const near = Math.abs(x - this.at.x) < (w / scale) * 0.4 && Math.abs(y - this.at.y) < (h / scale) * 0.4;
    if (near && scale === this.at.scale) return;
    if (still()) return this.look({ x, y, scale });
    const from = { ...this.at };
    const began = performance.now();
    const step = (now) => {
      const part = Math.min(1, (now - began) / 260);
      const ease = part * (2 - part);
      const mix = (a, b) => a + (b - a) * ease;
      this.look({ x: mix(from.x, x), y: mix(from.y, y), scale: mix(from.scale, scale) }, part < 1);
      if (part < 1 && this.fingers.size === 0) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  toMap(px, py) {
    const { w, h } = this.size();
    return [this.box.x + (px / w) * this.box.w, this.box.y + (py / h) * this.box.h];
  }

  toScreen(x, y) {
    const { w, h } = this.size();
    return [((x - this.box.x) / this.box.w) * w, ((y - this.box.y) / this.box.h) * h];
  }

  spot(event) {
    const frame = this.stage.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  }

  wheel(event) {
    event.preventDefault();
    const [x, y] = this.spot(event);
    this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), x, y, true);
  }

  down(event) {
    this.fingers.set(event.pointerId, this.spot(event));
    if (this.fingers.size === 1) this.moved = 0;
  }

  move(event) {
    const old = this.fingers.get(event.pointerId);
    if (!old) return;
    const now = this.spot(event);
    if (this.fingers.size === 1) {
      this.moved += Math.hypot(now[0] - old[0], now[1] - old[1]);
      if (this.moved > 6) {
        if (!this.svg.hasPointerCapture(event.pointerId)) this.svg.setPointerCapture(event.pointerId);
        this.pan(old[0] - now[0], old[1] - now[1], true);
      }
    } else {
      this.moved = 99;
      const [other] = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, spot]) => spot);
      const before = Math.hypot(old[0] - other[0], old[1] - other[1]);
      const after = Math.hypot(now[0] - other[0], now[1] - other[1]);
      if (before > 10) this.zoom(after / before, (now[0] + other[0]) / 2, (now[1] + other[1]) / 2, true);
    }
    this.fingers.set(event.pointerId, now);
  }

  up(event) {
    this.fingers.delete(event.pointerId);
  }

  /** Whether the last press was a drag, so that its click means nothing. */
  dragged() {
    return this.moved > 6;
  }
}
