// Goes on with a list that the server sent: data-stream is where the rest comes
// from, event by event. All words go in as text, never as HTML. A line that was cut
// goes on behind the last event; without script a reload shows the same.
"use strict";

const most = 2000; // entries that stay in the page

for (const list of document.querySelectorAll("[data-stream]")) {
  const source = new EventSource(list.dataset.stream);
  const tell = (words) => { document.getElementById(list.dataset.state).textContent = words; };
  source.onopen = () => tell("Live: what is new comes by itself.");
  source.onerror = () => tell(source.readyState === EventSource.CLOSED
    ? "Not live any more. Reload the page to see whether there is more."
    : "The line to the device is cut. It is tried again.");
  // What is here was said before the device started anew. A reload keeps the reader's
  // place, which an empty list would not.
  source.addEventListener("reset", () => { source.close(); location.reload(); });
  source.addEventListener("over", (event) => { source.close(); tell(JSON.parse(event.data)); });
  source.addEventListener("said", (event) => add(list, JSON.parse(event.data), said));
  source.addEventListener("line", (event) => add(list, JSON.parse(event.data), line));
}

// add puts an entry at the end, and stays at the end if the reader is there. Who
// reads above keeps the place: nothing moves, and nothing before it goes away. To see
// where the reader is costs more than an entry, so it is done once for a burst.
let burst = null;

function add(list, entry, make) {
  const root = document.documentElement;
  if (!burst) {
    burst = { atEnd: root.scrollHeight - root.scrollTop - root.clientHeight < 120, top: root.scrollTop };
    setTimeout(() => {
      const { atEnd, top } = burst;
      burst = null;
      if (!atEnd || root.scrollTop < top) return;
      while (list.children.length > most) list.firstElementChild.remove();
      root.scrollTop = root.scrollHeight;
    }, 30);
  }
  make(list, entry);
}

function part(parent, name, kind, text) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  if (text) element.textContent = text;
  parent.append(element);
  return element;
}

// turn finds the items of the turn that goes on, the newest first.
function* turn(list) {
  for (let item = list.lastElementChild; item; item = item.previousElementSibling) {
    if (item.dataset.kind === "end" || item.dataset.kind === "place") return;
    yield item;
  }
}

function said(list, entry) {
  const last = list.lastElementChild;
  if (entry.streams && last && last.dataset.kind === entry.kind) return words(last, entry.text);
  if (entry.id) for (const item of turn(list)) if (item.dataset.id === entry.id) return become(item, entry);
  if (entry.closes) for (const item of turn(list)) if (item.classList.contains("open")) become(item, { head: entry.closes, state: "failed" });
  const item = part(list, "li", entry.kind);
  item.dataset.kind = entry.kind;
  if (entry.id) item.dataset.id = entry.id;
  part(item, "p", "who");
  become(item, entry);
  if (entry.streams) words(item, entry.text);
  if (!entry.detail) return;
  const detail = part(item, "div", "detail");
  detail.tabIndex = 0;
  for (const d of entry.detail) part(detail, "div", d.mark === "+" ? "added" : d.mark === "-" ? "gone" : "", (d.mark || " ") + " " + d.text);
}

// become gives an item what is newest of it.
function become(item, entry) {
  item.classList.remove("open");
  if (entry.state) item.classList.add(entry.state);
  item.querySelector(".who").textContent = entry.head;
  if (!entry.text || entry.streams) return;
  (item.querySelector(".words") || part(item, "div", "words")).textContent = entry.text;
}

// words adds a piece to a text. Empty lines part it from the text before, and in front
// of it they would be a gap.
function words(item, text) {
  const all = item.querySelector(".words") || part(item, "div", "words");
  if (!all.hasChildNodes()) text = text.replace(/^\n+/, "");
  if (text) all.append(text);
}

function line(list, entry) {
  const item = part(list, "li", entry.kind);
  part(item, "time", "", entry.time);
  part(item, "span", "", entry.text);
}
