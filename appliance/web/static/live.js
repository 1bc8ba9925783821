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
  source.addEventListener("reset", () => list.replaceChildren());
  source.addEventListener("over", (event) => { source.close(); tell(JSON.parse(event.data)); });
  source.addEventListener("said", (event) => add(list, JSON.parse(event.data), said));
  source.addEventListener("line", (event) => add(list, JSON.parse(event.data), line));
}

// add puts an entry at the end, and stays at the end if the reader is there.
function add(list, entry, make) {
  const root = document.documentElement;
  const atEnd = root.scrollHeight - root.scrollTop - root.clientHeight < 120;
  make(list, entry);
  while (list.children.length > most) list.firstElementChild.remove();
  if (atEnd) root.scrollTop = root.scrollHeight;
}

function part(parent, name, kind, text) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  if (text) element.textContent = text;
  parent.append(element);
  return element;
}

function said(list, entry) {
  const last = list.lastElementChild;
  if (entry.streams && last && last.dataset.kind === entry.kind) {
    last.querySelector(".words").append(entry.text);
    return;
  }
  const item = part(list, "li", entry.kind);
  item.dataset.kind = entry.kind;
  part(item, "p", "who", entry.head);
  if (entry.text) part(item, "div", "words", entry.text);
  if (!entry.detail) return;
  const detail = part(item, "div", "detail");
  for (const d of entry.detail) part(detail, "div", d.mark === "+" ? "added" : d.mark === "-" ? "gone" : "", (d.mark || " ") + " " + d.text);
}

function line(list, entry) {
  const item = part(list, "li", entry.kind);
  part(item, "time", "", entry.time);
  part(item, "span", "", entry.text);
}
