// Keeps parts of a page fresh: an element with data-live="PATH" is replaced by what
// PATH answers, every few seconds, while the page is in sight. Without script
// the pages say the same after a reload.
"use strict";

for (const part of document.querySelectorAll("[data-live]")) {
  const every = Number(part.dataset.every || 2) * 1000;
  const refresh = async () => {
    if (document.visibilityState === "visible" && !part.contains(document.activeElement)) {
      try {
        const answer = await fetch(part.dataset.live, { redirect: "manual" });
        if (answer.headers.get("X-Reload") || answer.type === "opaqueredirect") return location.reload();
        if (answer.ok) part.innerHTML = await answer.text();
      } catch { /* the device is away for a moment: try again */ }
    }
    setTimeout(refresh, every);
  };
  setTimeout(refresh, every);
}
