// The report works without this: it adds filter, sorting, the enlarged record and links to states.
// The state is the fragment: #ANCHOR&filter=TEXT&sort=TABLE.COLUMN.asc
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const filter = byId("filter");
  const found = byId("found");
  const cards = [...document.querySelectorAll(".card")];
  const folds = [...document.querySelectorAll(".fold")].filter((fold) => fold.querySelector(".card"));
  const texts = new Map(cards.map((card) => [card, card.textContent.toLowerCase()]));
  let sorted = "";

  const parse = () => {
    const [anchor, ...rest] = location.hash.slice(1).split("&");
    const state = new URLSearchParams(rest.join("&"));
    let id = anchor;
    try {
      id = decodeURIComponent(anchor);
    } catch {
      // a fragment that somebody cut is still an id
    }
    return { id, filter: state.get("filter") || "", sort: state.get("sort") || "" };
  };

  const remember = () => {
    const state = new URLSearchParams();
    if (filter.value) state.set("filter", filter.value);
    if (sorted) state.set("sort", sorted);
    const more = state.toString();
    history.replaceState(null, "", "#" + encodeURIComponent(parse().id) + (more ? "&" + more : ""));
  };

  const open = (element) => {
    for (let node = element; node; node = node.parentElement) {
      if (node.tagName === "DETAILS") node.open = true;
    }
  };

  const go = (id) => {
    const target = id && byId(id);
    if (!target || target.hidden) return;
    open(target);
    target.scrollIntoView();
    if (!target.hasAttribute("tabindex")) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  };

  const applyFilter = () => {
    const wanted = filter.value.trim().toLowerCase();
    let n = 0;
    for (const card of cards) {
      card.hidden = !texts.get(card).includes(wanted);
      if (!card.hidden) n += 1;
    }
    for (const fold of folds) {
      const some = fold.querySelector(".card:not([hidden])");
      fold.hidden = Boolean(wanted) && !some;
      if (wanted && some) open(fold);
    }
    found.textContent = n.toLocaleString("en") + (wanted ? " of " + cards.length.toLocaleString("en") : "") + " records on this page";
    mark(wanted);
  };

  // where the browser can, the words that were found are marked without a change to the page
  const mark = (wanted) => {
    if (!window.Highlight || !CSS.highlights) return;
    CSS.highlights.delete("found");
    const ranges = [];
    for (const card of wanted ? cards : []) {
      if (card.hidden) continue;
      const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node && ranges.length < 2000; node = walker.nextNode()) {
        const place = node.data.toLowerCase().indexOf(wanted);
        if (place < 0) continue;
        const range = new Range();
        range.setStart(node, place);
        range.setEnd(node, Math.min(place + wanted.length, node.data.length));
        ranges.push(range);
      }
    }
    if (ranges.length) CSS.highlights.set("found", new Highlight(...ranges));
  };

  const valueOf = (cell) => {
    if (!cell) return "";
    const data = cell.querySelector("data");
    const text = data ? data.value : cell.textContent.replaceAll(",", "").trim();
    return text !== "" && !Number.isNaN(Number(text)) ? Number(text) : cell.textContent.trim();
  };

  const sortBy = (heading, direction) => {
    const table = heading.closest("table");
    const place = [...heading.parentElement.children].indexOf(heading);
    const sign = direction === "desc" ? -1 : 1;
    const compare = (a, b) => {
      const [left, right] = [valueOf(a.cells[place]), valueOf(b.cells[place])];
      // empty cells come last, whichever way
      if (left === "" || right === "") return (left === "") - (right === "");
      if (typeof left === "number" && typeof right === "number") return sign * (left - right);
      return sign * String(left).localeCompare(String(right), "en", { numeric: true });
    };
    table.tBodies[0].append(...[...table.tBodies[0].rows].sort(compare));
    for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", direction === "desc" ? "descending" : "ascending");
    sorted = [table.dataset.query, heading.dataset.column, direction].join("~");
  };

  const headingOf = (state) => {
    const [name, column, direction] = state.split("~");
    for (const table of document.querySelectorAll("table[data-query]")) {
      if (table.dataset.query !== name) continue;
      for (const heading of table.querySelectorAll("th")) {
        if (heading.dataset.column === column) return [heading, direction];
      }
    }
    return null;
  };

  for (const heading of document.querySelectorAll("th[data-column]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      sortBy(heading, heading.getAttribute("aria-sort") === "descending" ? "asc" : "desc");
      remember();
    });
  }

  const lightbox = byId("lightbox");
  let enlarged = null;
  const enlarge = (card) => {
    enlarged = card;
    const copy = card.cloneNode(true);
    copy.removeAttribute("id");
    const content = lightbox.querySelector(".content");
    content.replaceChildren(copy);
    for (const zoom of content.querySelectorAll(".zoom")) zoom.replaceWith(...zoom.childNodes);
    if (!lightbox.open) lightbox.showModal();
  };
  const step = (by) => {
    const shown = cards.filter((card) => !card.hidden && card.parentElement === enlarged.parentElement);
    const next = shown[shown.indexOf(enlarged) + by];
    if (next) enlarge(next);
  };
  lightbox.addEventListener("click", (event) => {
    if (event.target === lightbox) lightbox.close();
    const by = Number(event.target.dataset.step);
    if (by) step(by);
  });
  lightbox.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft") step(-1);
    if (event.key === "ArrowRight") step(1);
  });
  lightbox.addEventListener("close", () => {
    const zoom = enlarged && enlarged.querySelector(".zoom");
    if (zoom) zoom.focus();
  });
  document.addEventListener("click", (event) => {
    const zoom = event.target.closest(".zoom");
    if (zoom) enlarge(zoom.closest(".card"));
  });

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // a page from disk may not: select it, and let the browser copy it
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      const isCopied = document.execCommand("copy");
      area.remove();
      return isCopied;
    }
    return true;
  };
  for (const query of document.querySelectorAll("details.query pre")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      button.textContent = (await copy(query.textContent)) ? "Copied" : "Not copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    query.before(button);
  }

  // on a narrow page a table that is wider than the screen shows each row as a list
  const narrow = matchMedia("(max-width: 40rem)");
  const fit = () => {
    const boxes = [...document.querySelectorAll(".scroll")];
    for (const box of boxes) box.classList.remove("listed");
    if (!narrow.matches) return;
    for (const box of boxes.filter((one) => one.scrollWidth > one.clientWidth)) {
      const [heads, ...rows] = box.querySelectorAll("tr");
      for (const row of rows) {
        [...row.cells].forEach((cell, place) => { cell.dataset.label = heads.cells[place].textContent; });
      }
      box.classList.add("listed");
    }
  };
  let fitting = 0;
  const fitSoon = () => {
    cancelAnimationFrame(fitting);
    fitting = requestAnimationFrame(fit);
  };
  addEventListener("resize", fitSoon);
  document.addEventListener("toggle", fitSoon, true);

  // what is folded is printed, too
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("main details:not([open])")];
    for (const fold of closed) fold.open = true;
  });
  addEventListener("afterprint", () => {
    for (const fold of closed) fold.open = false;
  });

  const show = () => {
    const state = parse();
    filter.value = state.filter;
    applyFilter();
    const found = state.sort && headingOf(state.sort);
    if (found) sortBy(...found);
    go(state.id);
  };
  let waiting = 0;
  filter.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      applyFilter();
      remember();
    }, 120);
  });
  filter.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    clearTimeout(waiting);
    applyFilter();
    remember();
    const first = cards.find((card) => !card.hidden);
    if (first && filter.value.trim()) {
      open(first);
      first.scrollIntoView({ block: "center" });
    }
  });
  window.addEventListener("hashchange", () => {
    // a link inside the page names an anchor alone and leaves filter and order as they are
    if (location.hash.includes("&")) show();
    else {
      go(parse().id);
      remember();
    }
  });
  document.querySelector(".tools").hidden = false;
  if (matchMedia("(max-width: 70rem)").matches) document.querySelector("nav details").open = false;
  fit();
  show();
})();
