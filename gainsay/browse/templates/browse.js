// The pages of candidates: keys, overlays, and the SQL to the clipboard. Without it all links work.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const help = $("help");
  const boxes = [...document.querySelectorAll("#overlays input")];
  const links = [...document.querySelectorAll("#candidates > li > a")];

  function say(text) {
    $("said").textContent = text;
  }

  function show(box) {
    for (const group of document.querySelectorAll(`.overlay[data-kind="${box.value}"]`)) {
      group.classList.toggle("on", box.checked);
    }
  }

  async function copy(button) {
    const text = $(button.dataset.copies).textContent;
    let isCopied = false;
    try {
      await navigator.clipboard.writeText(text);
      isCopied = true;
    } catch {
      // without https on another host than this one: select it, and let the browser copy it
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      isCopied = document.execCommand("copy");
      area.remove();
    }
    const label = button.lastChild;
    const before = label.textContent;
    label.textContent = isCopied ? " Copied" : " The browser copies nothing here";
    say(label.textContent);
    setTimeout(() => { label.textContent = before; }, 1500);
  }

  function step(by) {
    if (!links.length) return;
    const here = links.indexOf(document.activeElement);
    const next = here < 0 ? (by > 0 ? 0 : links.length - 1) : here + by;
    links[Math.min(Math.max(next, 0), links.length - 1)].focus();
  }

  // marks are of this browser; the list of them is an address
  const MARKS = "gainsay-marks";
  const markedLink = $("marked");
  let marks = [];
  try {
    marks = JSON.parse(localStorage.getItem(MARKS) || "[]");
  } catch {
    // a browser that keeps nothing has marks for this page alone
  }

  function showMarks() {
    try {
      localStorage.setItem(MARKS, JSON.stringify(marks));
    } catch {
      // as above
    }
    for (const one of document.querySelectorAll("[data-mark]")) {
      const isMarked = marks.includes(one.dataset.mark);
      one.classList.toggle("marked", isMarked);
      if (one.id === "mark") one.setAttribute("aria-pressed", isMarked);
    }
    if (!markedLink) return;
    markedLink.hidden = !marks.length;
    markedLink.textContent = `Marked (${marks.length})`;
    markedLink.href = "/marked?" + new URLSearchParams(marks.map((mark) => ["mark", mark]));
  }

  function mark() {
    const one = document.activeElement.closest("[data-mark]") || $("mark");
    if (!one) return;
    const name = one.dataset.mark;
    if (marks.includes(name)) marks = marks.filter((other) => other !== name);
    else if (marks.length < Number(markedLink?.dataset.most)) marks.push(name);
    else say(" An address has no room for more marks");
    showMarks();
    if (marks.includes(name)) say("Marked");
  }

  // the photographs that edited pictures were made of, by one key for all
  const edited = [...document.querySelectorAll("img[data-before]")];
  function swap() {
    for (const picture of edited) {
      [picture.src, picture.dataset.before] = [picture.dataset.before, picture.getAttribute("src")];
    }
    const button = $("before-edit");
    button.setAttribute("aria-pressed", button.getAttribute("aria-pressed") !== "true");
  }

  const follow = (rel) => document.querySelector(`nav.pages a[rel=${rel}]`)?.click();
  const keys = {
    j: () => step(1),
    k: () => step(-1),
    "/": () => $("q")?.focus(),
    c: () => document.querySelector(".copy")?.click(),
    u: () => follow("up"),
    m: mark,
    b: () => edited.length && swap(),
    r: () => $("same-reason")?.click(),
    "?": () => help?.showModal(),
    ArrowLeft: () => follow("prev"),
    ArrowRight: () => follow("next"),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help?.open) return;
    if (event.target.closest("input:not([type=checkbox]), select, textarea, pre")) return;
    const box = boxes[Number(event.key) - 1];
    const act = box ? () => box.click() : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  for (const box of boxes) {
    box.addEventListener("change", () => show(box));
    show(box);
  }
  for (const button of document.querySelectorAll(".copy")) {
    button.addEventListener("click", () => copy(button));
  }
  $("open-help")?.addEventListener("click", () => help.showModal());
  if ($("mark")) {
    $("mark").hidden = false;
    $("mark").addEventListener("click", mark);
  }
  if ($("before-edit") && edited.length) {
    $("before-edit").hidden = false;
    $("before-edit").addEventListener("click", swap);
  }
  if ($("unmark") && marks.length) {
    $("unmark").hidden = false;
    $("unmark").addEventListener("click", () => {
      marks = [];
      showMarks();
      location.href = "/marked";
    });
  }
  showMarks();
  $("sort")?.addEventListener("change", () => $("order").submit());
  // on a phone the facets stand folded above the candidates
  if (matchMedia("(max-width: 60rem)").matches) document.querySelector("#facets > details")?.removeAttribute("open");
})();
