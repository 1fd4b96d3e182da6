"use strict";
(() => {
  const inspector = document.querySelector(".inspector");
  const texts = document.getElementById("texts");
  const panes = [...document.querySelectorAll(".pane")];
  const rows = [...document.querySelectorAll("tr[data-left]")];
  let current = -1;

  const scrolls = (pane) => getComputedStyle(pane).overflowY === "auto";
  const topOf = (element) => element.getBoundingClientRect().top;

  function frame(elements) {
    document.querySelectorAll(".framed").forEach((element) => element.classList.remove("framed"));
    elements.forEach((element) => element.classList.add("framed"));
  }

  function inspect(row) {
    const cells = [...row.cells].map((cell) => {
      const copy = document.createElement("div");
      copy.className = cell.className;
      if (cell.dataset.label) copy.dataset.label = cell.dataset.label;
      copy.append(...[...cell.childNodes].map((node) => node.cloneNode(true)));
      return copy;
    });
    inspector.replaceChildren(...cells);
    inspector.hidden = false;
  }

  // What was clicked stays where it is if it can, and the partner comes to its height. A text that cannot
  // be scrolled that far makes the other one follow.
  function align(elements, clicked) {
    if (!panes.every(scrolls)) {
      elements.find((element) => element !== clicked).scrollIntoView({ block: "center" });
      return;
    }
    const highest = topOf(panes[0]) + 24;
    const tallest = Math.max(...elements.map((element) => element.offsetHeight));
    const lowest = topOf(inspector) - tallest - 16;
    const wished = elements.includes(clicked) ? topOf(clicked) : (highest + lowest) / 2;
    const height = Math.max(highest, Math.min(wished, lowest));
    for (const element of elements) scrollTo(element, height);
    scrollTo(elements[0], topOf(elements[1]));
    scrollTo(elements[1], topOf(elements[0]));
  }

  function scrollTo(element, height) {
    element.closest(".pane").scrollTop += topOf(element) - height;
  }

  function select(index, clicked) {
    const row = rows[index];
    const elements = [row.dataset.left, row.dataset.right].map((id) => document.getElementById(id));
    current = index;
    frame([...elements, row]);
    inspect(row);
    texts.classList.add("inspecting");
    if (!elements.includes(clicked)) texts.scrollIntoView({ block: "start" });
    align(elements, clicked);
  }

  document.addEventListener("click", (event) => {
    const target = event.target.closest("[data-match]");
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey || !getSelection().isCollapsed) return;
    event.preventDefault();
    const sup = target.closest("sup");
    select(Number(target.dataset.match) - 1, sup ? sup.previousElementSibling : target);
  });

  document.addEventListener("keydown", (event) => {
    if (!rows.length || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { n: 1, p: -1 }[event.key.toLowerCase()];
    if (step) select((Math.max(current, step < 0 ? 0 : -1) + step + rows.length) % rows.length, null);
    if (event.key === "Escape") {
      frame([]);
      texts.classList.remove("inspecting");
      inspector.hidden = true;
    }
  });

  document.querySelector(".hint").hidden = !rows.length;
})();
