// Pan and zoom: mouse, wheel, two fingers, keyboard. The camera is the view box of the map.

import { still } from "./dom.js";

export class Camera {
  constructor(svg, bounds) {
    this.svg = svg;
    this.bounds = bounds;
    this.fingers = new Map();
    this.moved = 0;
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    for (const type of ["pointerup", "pointercancel", "pointerleave"]) svg.addEventListener(type, (event) => this.up(event));
    new ResizeObserver(() => this.box && this.keep()).observe(svg);
    this.fit();
  }

  size() {
    return { w: this.svg.clientWidth || 800, h: this.svg.clientHeight || 600 };
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
    if (middle && this.at.scale < 0.42) this.look({ ...middle, scale: 0.55 });
  }

  look({ x, y, scale }) {
    const { w, h } = this.size();
    const least = Math.min(w / this.bounds.width, h / this.bounds.height) * 0.8;
    scale = Math.max(least, Math.min(scale, 6));
    const { bounds } = this;
    x = Math.max(bounds.x, Math.min(x, bounds.x + bounds.width));
    y = Math.max(bounds.y, Math.min(y, bounds.y + bounds.height));
    this.at = { x, y, scale };
    this.box = { x: x - w / scale / 2, y: y - h / scale / 2, w: w / scale, h: h / scale };
    this.svg.setAttribute("viewBox", `${this.box.x} ${this.box.y} ${this.box.w} ${this.box.h}`);
    this.svg.style.setProperty("--scale", scale);
    this.svg.dataset.detail = scale < 0.28 ? "far" : scale < 0.6 ? "middle" : "near";
  }

  keep() {
    this.look(this.at);
  }

  /** Zooms by a factor around a point of the screen, or the middle. */
  zoom(factor, px, py) {
    const { w, h } = this.size();
    const [sx, sy] = [px ?? w / 2, py ?? h / 2];
    const scale = Math.max(0.02, Math.min(this.at.scale * factor, 6));
    const [mx, my] = this.toMap(sx, sy);
    this.look({ x: mx - (sx - w / 2) / scale, y: my - (sy - h / 2) / scale, scale });
  }

  pan(dx, dy) {
    this.look({ x: this.at.x + dx / this.at.scale, y: this.at.y + dy / this.at.scale, scale: this.at.scale });
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
      this.look({ x: mix(from.x, x), y: mix(from.y, y), scale: mix(from.scale, scale) });
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
    const frame = this.svg.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  }

  wheel(event) {
    event.preventDefault();
    const [x, y] = this.spot(event);
    this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), x, y);
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
        this.pan(old[0] - now[0], old[1] - now[1]);
      }
    } else {
      this.moved = 99;
      const [other] = [...this.fingers].filter(([id]) => id !== event.pointerId).map(([, spot]) => spot);
      const before = Math.hypot(old[0] - other[0], old[1] - other[1]);
      const after = Math.hypot(now[0] - other[0], now[1] - other[1]);
      if (before > 10) this.zoom(after / before, (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
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
