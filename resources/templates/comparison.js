"use strict";
(() => {
  const FRAMES = 2;
  const inspector = document.querySelector(".inspector");
  const texts = document.getElementById("texts");
  const panes = [...document.querySelectorAll(".pane")];
  const rows = [...document.querySelectorAll("tr[data-left]")];
  const numbers = [...document.querySelectorAll(".pane.l .number a")];
  const boxes = [...document.querySelectorAll("[data-kind][type=checkbox]")];
  let current = -1;
  let framed = [];
  let near = [];

  const scrolls = (pane) => getComputedStyle(pane).overflowY === "auto";
  const topOf = (element) => element.getBoundingClientRect().top;
  const isHidden = (kind) => boxes.some((box) => !box.checked && box.dataset.kind === kind);
  const isPlain = (target) => target.closest(".plain") !== null;

  function frame(elements) {
    framed.forEach((element) => element.classList.remove("framed"));
    elements.forEach((element) => element.classList.add("framed"));
    framed = elements;
  }

  // In long texts, lays out the parts around the elements, so that their positions are not estimates.
  function layOutAround(elements) {
    const parts = elements.map((element) => element.closest(".part"));
    near.forEach((part) => part.classList.remove("near"));
    near = parts.flatMap((part) => [part.previousElementSibling, part, part.nextElementSibling]).filter(Boolean);
    near.forEach((part) => part.classList.add("near"));
  }

  function inspect(row) {
    inspector.replaceChildren(...(row.cells ? cellsOf(row) : [row.cloneNode(true)]));
    inspector.firstChild.removeAttribute("id");
    inspector.hidden = false;
  }

  function cellsOf(row) {
    return [...row.cells].map((cell) => {
      const copy = document.createElement("div");
      copy.className = cell.className;
      if (cell.dataset.label) copy.dataset.label = cell.dataset.label;
      copy.append(...[...cell.childNodes].map((node) => node.cloneNode(true)));
      return copy;
    });
  }

  // Scrolls the partner level with the clicked sentence, which keeps its place if possible. If one text cannot
  // be scrolled far enough, the other one is scrolled instead.
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

  const indexOf = (passage) => numbers.findIndex((number) => number.dataset.passage === passage);
  const elementsOf = (...ids) => ids.map((id) => document.getElementById(id));

  function selectMatch(row, clicked) {
    current = indexOf(row.dataset.passageOf);
    select(elementsOf(row.dataset.left, row.dataset.right), [row], row, clicked);
  }

  // A passage of a single sentence is described by its row among the matches.
  function selectPassage(passage, clicked) {
    const title = document.getElementById(`passage${passage}`);
    const runs = document.querySelectorAll(`[data-run="${passage}"]`);
    const described = title || rows.find((row) => row.dataset.passageOf === passage);
    current = indexOf(passage);
    select(elementsOf(`pl${passage}`, `pr${passage}`), runs, described, clicked);
  }

  function select(elements, others, described, clicked) {
    frame([...elements, ...others]);
    if (described) inspect(described);
    else inspector.hidden = true;
    texts.classList.add("inspecting");
    if (document.body.classList.contains("long")) layOutAround(elements);
    if (!elements.includes(clicked)) texts.scrollIntoView({ block: "start" });
    settle(framed, elements, clicked, FRAMES);
  }

  // Aligns again after layout: parts that become visible get their real height, which may move the elements.
  function settle(ofSelection, elements, clicked, frames) {
    if (framed !== ofSelection) return;
    align(elements, clicked);
    if (frames) requestAnimationFrame(() => settle(ofSelection, elements, clicked, frames - 1));
  }

  // Selects the next visible passage, or the previous one if way is -1; wraps around at the ends.
  function step(way) {
    const shown = [...numbers.keys()].filter((index) => !isHidden(numbers[index].dataset.kind));
    const onward = way > 0 ? shown.filter((index) => index > current) : shown.filter((index) => index < current).reverse();
    const around = way > 0 ? shown[0] : shown[shown.length - 1];
    const target = onward.length ? onward[0] : around;
    if (target !== undefined) selectPassage(numbers[target].dataset.passage, null);
  }

  function showKinds() {
    for (const box of boxes) {
      const ofKind = document.querySelectorAll(["run", "number", "passage"].map((part) => `.${part}.${box.dataset.kind}`));
      ofKind.forEach((element) => element.classList.toggle("plain", !box.checked));
    }
  }

  document.addEventListener("change", showKinds);

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (button) step(Number(button.dataset.step));
    const target = event.target.closest("[data-match], [data-passage]");
    if (!target || isPlain(target) || event.ctrlKey || event.metaKey || event.shiftKey || !getSelection().isCollapsed) return;
    event.preventDefault();
    if (target.dataset.passage) selectPassage(target.dataset.passage, target);
    else selectMatch(rows[Number(target.dataset.match) - 1], target);
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = { n: 1, p: -1 }[event.key.toLowerCase()];
    if (way) step(way);
    if (event.key === "Escape") {
      frame([]);
      texts.classList.remove("inspecting");
      inspector.hidden = true;
    }
  });

  for (const part of [...document.querySelectorAll(".hint, .steps"), ...boxes]) part.hidden = !numbers.length;
})();
