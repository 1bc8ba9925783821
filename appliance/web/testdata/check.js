// What a page must keep, as a list of what it does not. Run by look_test.go.
(() => {
  const wrong = [];
  const name = (e) => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + (e.className && e.className.baseVal === undefined ? "." + e.className : "") + " " + JSON.stringify((e.textContent || "").trim().slice(0, 30));
  const shown = (e) => e.getClientRects().length > 0 && getComputedStyle(e).visibility !== "hidden";
  const hiddenFromSight = (e) => e.closest(".unseen, .skip") !== null;

  // Names
  if (document.documentElement.lang !== "en") wrong.push("the page does not say its language");
  if (!document.title) wrong.push("the page has no title");
  if (document.querySelectorAll("h1").length !== 1) wrong.push("the page has not one h1");
  const ids = new Set();
  for (const e of document.querySelectorAll("[id]")) {
    if (ids.has(e.id)) wrong.push("the id " + e.id + " is there twice");
    ids.add(e.id);
  }
  for (const e of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
    if (!e.labels.length && !e.getAttribute("aria-label")) wrong.push("no label: " + name(e));
    for (const id of (e.getAttribute("aria-describedby") || "").split(" ").filter(Boolean))
      if (!document.getElementById(id)) wrong.push("described by what is not there: " + id);
  }
  for (const e of document.querySelectorAll("a[href], button, summary"))
    if (!(e.getAttribute("aria-label") || e.textContent).trim()) wrong.push("no name: " + name(e));
  for (const e of document.querySelectorAll("img")) if (!e.alt) wrong.push("no text for a picture: " + e.src);
  for (const e of document.querySelectorAll("[style], [onclick]")) wrong.push("style or script in the page: " + name(e));
  let level = 0;
  for (const e of document.querySelectorAll("h1, h2, h3")) {
    const now = Number(e.tagName[1]);
    if (now > level + 1) wrong.push("a heading is left out before " + name(e));
    level = now;
  }

  // Contrast
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const colours = new Map(); // a long page has few
  const colour = (text) => {
    if (!colours.has(text)) colours.set(text, paint(text));
    return colours.get(text);
  };
  const paint = (text) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const back = (e) => {
    const layers = [];
    for (; e; e = e.parentElement) {
      const c = colour(getComputedStyle(e).backgroundColor);
      layers.push(c);
      if (c[3] > 0.99) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
  };
  const light = (c) => {
    const [r, g, b] = c.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  for (const e of document.querySelectorAll("body *")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) || e.matches("input:not([type=hidden]), select, textarea, svg.icon");
    if (!own || !shown(e) || hiddenFromSight(e)) continue;
    const style = getComputedStyle(e), size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const below = back(e), text = over(colour(e.matches("svg") ? style.fill : style.color), below);
    const need = e.matches("svg") ? 3 : large ? 3 : 4.5;
    const got = contrast(text, below);
    if (got < need) wrong.push("contrast " + got.toFixed(2) + " instead of " + need + ": " + name(e));
  }
  for (const e of document.querySelectorAll("input:not([type=hidden]), select, textarea, main button, main .button")) {
    if (!shown(e) || e.matches(".quiet, .danger")) continue;
    const edge = contrast(over(colour(getComputedStyle(e).borderTopColor), back(e.parentElement)), back(e.parentElement));
    const fill = contrast(back(e), back(e.parentElement));
    if (Math.max(edge, fill) < 3 && !e.matches("[type=checkbox], [type=radio]")) wrong.push("the edge of this is hard to see (" + edge.toFixed(2) + "): " + name(e));
  }

  // Room
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) wrong.push("the page is wider than the screen: " + document.documentElement.scrollWidth + " of " + width);
  for (const e of document.querySelectorAll("body *")) {
    if (!shown(e) || hiddenFromSight(e)) continue;
    const r = e.getBoundingClientRect();
    if (r.right > width + 1 || r.left < -1) wrong.push("out of the screen: " + name(e));
    if (e.matches("a[href], button, summary, input:not([type=hidden]), select") && getComputedStyle(e).display !== "inline") {
      const hit = e.matches("[type=checkbox], [type=radio]") ? e.closest("label").getBoundingClientRect() : r;
      if (hit.height < 43.5 || hit.width < 43.5) wrong.push("too small to press (" + hit.width.toFixed(0) + " by " + hit.height.toFixed(0) + "): " + name(e));
    }
  }

  // Words that are cut, or lie on others. What stays in place while the page moves
  // beneath it is left out.
  const styles = new Map();
  const style = (e) => styles.get(e) || styles.set(e, getComputedStyle(e)).get(e);
  const lineage = function* (e) { for (; e && e !== document.documentElement; e = e.parentElement) yield e; };
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(); n; n = walker.nextNode()) {
    const e = n.parentElement;
    if (!n.data.trim() || !shown(e) || !e.checkVisibility() || hiddenFromSight(e) || e.closest("select, textarea, script, noscript")) continue;
    const all = [...lineage(e)];
    if (all.some((a) => ["fixed", "sticky"].includes(style(a).position))) continue;
    const range = document.createRange();
    range.selectNodeContents(n);
    const frame = all.find((a) => style(a).overflowX !== "visible");
    const edge = frame && frame.getBoundingClientRect();
    for (const r of range.getClientRects()) {
      if (!r.width) continue;
      if (edge && (r.right > edge.right + 1 || r.left < edge.left - 1)) wrong.push("cut at the side: " + name(e));
      const scrolls = edge && ["auto", "scroll"].includes(style(frame).overflowY);
      if (edge && !scrolls && (r.bottom > edge.bottom + 4 || r.top < edge.top - 4)) wrong.push("cut above or below: " + name(e));
      if (scrolls && (r.bottom > edge.bottom || r.top < edge.top)) continue;
      boxes.push({ n, e, left: r.left, right: r.right, top: r.top, bottom: r.bottom });
    }
  }
  boxes.sort((a, b) => a.top - b.top);
  boxes.forEach((a, i) => {
    for (let j = i + 1; j < boxes.length && boxes[j].top < a.bottom; j++) {
      const b = boxes[j], high = Math.min(a.bottom, b.bottom) - b.top, wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      if (a.n !== b.n && wide > 2 && high > 0.3 * Math.min(a.bottom - a.top, b.bottom - b.top)) wrong.push("words on words: " + name(a.e) + " and " + name(b.e));
    }
  });
  return wrong;
})();
