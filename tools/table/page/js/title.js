// The title of the tab: whose turn it is, so that whoever does something else meanwhile sees it.

import { decision, listen, sideName, state } from "./store.js";
import { capital, t } from "./lang.js";

export function tellTitle() {
  const { me, view } = state;
  const name = me?.title ? `${me.title} – Sandtable` : "Sandtable";
  const asked = decision();
  if (!view) document.title = name;
  else if (view.ended) document.title = t("title.ended", { name });
  else if (asked) document.title = t("title.asked", { side: capital(sideName(asked.side)), name });
  else document.title = view.owing?.length ? t("title.waiting", { names: view.owing.map(sideName).map(capital).join(", "), name }) : name;
}

listen(["view", "past"], tellTitle);
