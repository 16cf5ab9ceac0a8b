// The review page: shows a record, takes answers by key or button, and keeps each of them in this
// browser until the server says that it is on its disk.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const OUTBOX = "gainsay-review";
  const REFUSED = "gainsay-review-refused";
  const FLAG = "flag";
  const LAST = 10;
  const BATCH = 50;
  // milliseconds in which no person reads a record: a second tap belongs to the one before
  const UNSEEN = 300;

  let session = null;
  let queue = null;
  let record = null;
  let unseen = 0; // the timer after which the record can be answered
  let active = null; // the question that keys answer
  let wanted = null; // an answer that waits for its note
  let last = []; // the last decisions, the latest first
  let upcoming = null; // a promise of the record after this one
  let turn = 0; // whatever was asked for in an earlier turn comes too late
  let changes = 0;
  let isDone = false; // whether the page says that nothing is left
  let skipped = [];
  const seen = new Map();

  // small things

  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined) made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
  }

  function button(text, act, attributes = {}) {
    const made = element("button", { type: "button", ...attributes }, ...[text].flat());
    made.addEventListener("click", act);
    return made;
  }

  function newId() {
    // randomUUID is not there without https
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  async function api(path, body) {
    const request = body === undefined
      ? {}
      : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    let response;
    try {
      response = await fetch(path, { ...request, signal: AbortSignal.timeout(20000) });
    } catch {
      throw Object.assign(new Error("the server does not answer"), { status: 0 });
    }
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) {
      throw Object.assign(new Error(answer.error || `the server says ${response.status}`), { status: response.status });
    }
    return answer;
  }

  const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const nameOf = (one) => `${one.benchmark}/${one.queue}`;
  const questionText = (name) => (name === FLAG ? "Flag" : queue.questions[name]?.text ?? name);
  const answerLabel = (question, answer) =>
    question === FLAG ? "flagged" : queue.questions[question]?.answers.find((one) => one.answer === answer)?.label ?? answer;

  function say(text) {
    $("said").textContent = text;
  }

  function notice(text) {
    const line = element("p", {}, element("span", {}, text));
    line.append(button("Dismiss", () => line.remove()));
    $("notices").append(line);
  }

  // the outbox: one item of localStorage a vote, so that two tabs do not overwrite each other

  const memory = new Map(); // where the browser stores nothing
  let count = 0;

  function store(event) {
    count += 1;
    const key = [OUTBOX, encodeURIComponent(event.reader), String(Date.now()).padStart(15, "0"), String(count).padStart(6, "0"), event.event_id].join("|");
    try {
      localStorage.setItem(key, JSON.stringify(event));
    } catch {
      memory.set(key, event);
      notice("This browser stores nothing more: keep this tab open until nothing is unsent.");
    }
  }

  function unsent(reader = session.reader) {
    const prefix = `${OUTBOX}|${encodeURIComponent(reader)}|`;
    const found = new Map([...memory].filter(([key]) => key.startsWith(prefix)));
    for (const key of storedKeys(prefix)) {
      try {
        found.set(key, JSON.parse(localStorage.getItem(key)));
      } catch {
        localStorage.removeItem(key);
      }
    }
    return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, event]) => ({ key, event }));
  }

  function storedKeys(prefix) {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    } catch {
      return [];
    }
  }

  function forget(key) {
    memory.delete(key);
    try {
      localStorage.removeItem(key);
    } catch {
      // it was only in memory
    }
  }

  let isSending = false;
  let failure = "";
  let failures = 0;
  let retry = 0;

  async function send() {
    if (isSending || !session?.reader) return;
    isSending = true;
    clearTimeout(retry);
    failure = "";
    const stuck = new Set();
    try {
      for (;;) {
        const waiting = unsent().filter(({ event }) => !stuck.has(nameOf(event)));
        if (!waiting.length) break;
        const name = nameOf(waiting[0].event);
        const batch = waiting.filter(({ event }) => nameOf(event) === name).slice(0, BATCH);
        try {
          await deliver(batch).catch((error) => deliverSingly(batch, error));
        } catch (error) {
          failure = error.status === 404 ? `${name} is not on this server` : error.message;
          if (error.status === 401) await start();
          if (error.status !== 404) break;
          stuck.add(name);
        }
        showUnsent();
      }
    } finally {
      isSending = false;
      failures = failure ? failures + 1 : 0;
      if (failure) retry = setTimeout(send, Math.min(500 * 2 ** failures, 8000));
      showUnsent();
    }
  }

  async function deliver(batch) {
    const receipt = await api("/api/votes", { events: batch.map(({ event }) => event) });
    let n = 0;
    for (const { key, event } of batch) {
      if (receipt.acknowledged.includes(event.event_id)) {
        forget(key);
        n += 1;
      } else if (event.event_id in receipt.refused) {
        refuse(key, event, receipt.refused[event.event_id]);
        n += 1;
      }
    }
    if (!n) throw Object.assign(new Error("the server answers something else"), { status: 0 });
    if (receipt.stale.length) {
      notice("A record has been rebuilt since you looked at it: your answer is kept, decides nothing, and the record will come again.");
    }
    if (queue && nameOf(batch[0].event) === nameOf(queue)) showProgress(receipt.progress);
    showLast();
  }

  // one vote that the server cannot read must not hold up the others
  async function deliverSingly(batch, error) {
    if (![400, 413].includes(error.status)) throw error;
    if (batch.length === 1) {
      refuse(batch[0].key, batch[0].event, error.message);
      return;
    }
    for (const one of batch) await deliver([one]).catch((own) => deliverSingly([one], own));
  }

  function refuse(key, event, reason) {
    try {
      localStorage.setItem(`${REFUSED}|${event.event_id}`, JSON.stringify(event));
    } catch {
      // the notice says it anyway
    }
    forget(key);
    notice(`Not kept: ${event.record_id}, ${event.question}: ${event.answer ?? "undo"}: ${reason}`);
  }

  let patience = 0;

  // an answer that the server takes at once is no news
  function showUnsent() {
    clearTimeout(patience);
    if (failure || $("unsent").textContent || !unsentCount()) writeUnsent();
    else patience = setTimeout(writeUnsent, 400);
  }

  const unsentCount = () => (session?.reader ? unsent().length : 0);

  function writeUnsent() {
    const n = unsentCount();
    $("unsent").textContent = n ? `${n} unsent${failure ? `: ${failure}` : ""}` : "";
    document.title = `${n ? `(${n}) ` : ""}${queue ? queue.title : "gainsay review"}`;
  }

  // who and what

  async function start() {
    try {
      session = await api("/api/session");
    } catch (error) {
      showMessage("The server does not answer", `${error.message}; trying again.`);
      await sleep(1500);
      return start();
    }
    $("who").hidden = session.reader === null;
    $("change-reader").hidden = session.has_links;
    if (session.reader === null) {
      askName();
      return undefined;
    }
    $("reader").textContent = session.reader;
    $("queue").replaceChildren(...session.queues.map((one) => element("option", { value: nameOf(one) }, one.title)));
    $("queue-label").hidden = false;
    return openQueue();
  }

  function askName() {
    if (session.has_links) {
      showMessage("Open your link", "This page lets in who has a link with a token. Ask for yours where the page was started.");
      return;
    }
    hideAll();
    $("sign-in").hidden = false;
    const readers = new Map();
    for (const key of storedKeys(`${OUTBOX}|`)) {
      const name = decodeURIComponent(key.split("|")[1]);
      readers.set(name, (readers.get(name) ?? 0) + 1);
    }
    $("others-unsent").textContent = [...readers].map(([name, n]) => `This browser holds ${n} unsent of ${name}, which go once ${name} is back.`).join(" ");
    $("name").value = "";
    $("name").focus();
  }

  async function signIn(event) {
    event.preventDefault();
    try {
      await api("/api/session", { reader: $("name").value });
      await start();
    } catch (error) {
      notice(error.message);
    }
  }

  function openQueue() {
    const asked = decodeURIComponent(location.hash.slice(1));
    queue = session.queues.find((one) => nameOf(one) === asked) ?? session.queues[0];
    $("queue").value = nameOf(queue);
    history.replaceState(null, "", `#${encodeURIComponent(nameOf(queue))}`);
    $("task").textContent = queue.task;
    showLanguages();
    skipped = readSkipped();
    seen.clear();
    last = [];
    upcoming = null;
    record = null;
    showKeys();
    showProgress(queue.progress);
    showAgreement();
    showLast();
    showUnsent();
    send();
    return advance(true);
  }

  // few people read all languages: a queue of several is read one by one
  function showLanguages() {
    const found = Object.entries(queue.languages);
    $("language-label").hidden = found.length < 2;
    $("language").replaceChildren();
    if (found.length < 2) return;
    const names = new Intl.DisplayNames("en", { type: "language", fallback: "code" });
    const nameOfLanguage = (code) => {
      try {
        return names.of(code);
      } catch {
        return code;
      }
    };
    $("language").append(...found.map(([code, n]) => element("option", { value: code }, `${nameOfLanguage(code)} (${n})`)));
    $("language").append(element("option", { value: "" }, "all languages"));
    const chosen = readStored(languageKey());
    if (chosen === "" || chosen in queue.languages) $("language").value = chosen;
  }

  const languageKey = () => `${OUTBOX}-language:${session.reader}:${nameOf(queue)}`;

  function readStored(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  }

  function chooseLanguage() {
    try {
      localStorage.setItem(languageKey(), $("language").value);
    } catch {
      // it is chosen until the page is loaded again
    }
    upcoming = null;
    advance(true);
  }

  const skippedKey = () => `${OUTBOX}-skipped:${session.reader}:${nameOf(queue)}`;

  function readSkipped() {
    try {
      return JSON.parse(sessionStorage.getItem(skippedKey())) ?? [];
    } catch {
      return [];
    }
  }

  // what comes next

  async function askNext(isFirst = false) {
    const asked = queue;
    const before = changes;
    const waiting = unsent().filter(({ event }) => nameOf(event) === nameOf(asked));
    const answered = answersOf(waiting);
    if (record) answered[record.record_id] = record.questions;
    const reply = await api("/api/next", {
      benchmark: asked.benchmark,
      queue: asked.queue,
      skipped,
      answered,
      language: $("language").value || null,
    });
    if (asked === queue && before === changes && (isFirst || !waiting.length)) {
      last = overlaid(reply.last_decisions, waiting);
      showLast();
    }
    if (asked === queue) showProgress(reply.progress);
    for (const [place, picture] of (reply.record?.pictures ?? []).entries()) {
      if (picture.is_there) new Image().src = pictureAddress(asked, reply.record, place);
    }
    return reply;
  }

  // the questions of each record that unsent votes answer
  function answersOf(waiting) {
    const questions = new Map();
    for (const { event } of waiting) {
      const own = questions.get(event.record_id) ?? new Set();
      if (event.kind === "undo") own.delete(event.question);
      else own.add(event.question);
      questions.set(event.record_id, own);
    }
    return Object.fromEntries([...questions].slice(-1000).map(([name, own]) => [name, [...own]]));
  }

  function overlaid(decisions, waiting) {
    let list = decisions;
    for (const { event } of waiting) {
      list = event.kind === "undo"
        ? list.filter((one) => one.event_id !== event.undoes)
        : [event, ...list.filter((one) => one.event_id !== event.event_id)];
    }
    return list.slice(0, LAST);
  }

  async function advance(isFirst = false) {
    turn += 1;
    const ticket = turn;
    const prepared = upcoming;
    upcoming = null;
    record = null;
    let reply = prepared && await prepared.catch(() => null);
    while (ticket === turn && !reply?.record) {
      try {
        reply = await askNext(isFirst);
        break;
      } catch (error) {
        if (ticket !== turn) return;
        showMessage("Waiting for the server", `${error.message}; trying again. What you have answered is safe in this browser.`);
        await sleep(1000);
      }
    }
    if (ticket !== turn) return;
    if (reply.record) show(reply.record);
    else showDone(queue.progress);
  }

  function prepare() {
    upcoming = askNext();
    upcoming.catch(() => {});
  }

  // showing

  function hideAll() {
    isDone = false;
    for (const id of ["sign-in", "message", "work"]) $(id).hidden = true;
  }

  function showMessage(title, text, lines = []) {
    hideAll();
    $("message").hidden = false;
    $("message-title").textContent = title;
    $("message-text").textContent = text;
    $("message-list").replaceChildren(...lines.map((line) => element("li", {}, line)));
    $("message-undo").hidden = !last.length;
    say(`${title}. ${text}`);
  }

  // 12,000: a count as the report writes it
  function counted(n) {
    return n.toLocaleString("en-US");
  }

  function showDone(progress) {
    const { n_records: all, n_decided: decided, votes_per_record: votes, readers } = progress;
    const open = all - decided;
    const language = $("language").value;
    if (language && !session.is_adjudicator) {
      showMessage(
        "Nothing is left for you in this language",
        "Choose another one above, or all languages.",
        Object.entries(readers).map(([name, n]) => `${name}: ${counted(n)} records`),
      );
      isDone = true;
      return;
    }
    if (session.is_adjudicator) {
      const { n_disputed: disputed, n_settled: settled } = progress;
      showMessage(
        "Nothing is left to settle now",
        `${counted(settled)} of ${counted(disputed)} disagreements are settled; ${counted(decided)} of ${counted(all)} records are read by ${votes}.`,
        Object.entries(readers).map(([name, n]) => `${name}: ${counted(n)} records`),
      );
      isDone = true;
      return;
    }
    showMessage(
      "Nothing is left for you here",
      open ? `${counted(open)} of ${counted(all)} records wait for other readers; each is read by ${votes}.` : `All ${counted(all)} records are decided.`,
      Object.entries(readers).map(([name, n]) => `${name}: ${counted(n)} records`),
    );
    isDone = true;
  }

  function showProgress(progress) {
    // answers of the server may overtake each other
    if (progress.n_events < queue.progress.n_events) return;
    queue.progress = progress;
    const own = progress.readers[session.reader] ?? 0;
    $("progress").hidden = false;
    $("bar").max = progress.n_records;
    $("bar").value = progress.n_decided;
    if (isDone) showDone(progress);
    if (session.is_adjudicator) {
      $("bar").max = Math.max(progress.n_disputed, 1);
      $("bar").value = progress.n_settled;
      $("progress-text").textContent = `${counted(progress.n_settled)} of ${counted(progress.n_disputed)} disagreements settled · ${counted(progress.n_decided)} of ${counted(progress.n_records)} read`;
      return;
    }
    $("progress-text").textContent = `${counted(own)} by you · ${counted(progress.n_decided)} of ${counted(progress.n_records)} decided`;
  }

  const share = (value) => (value === null ? "" : value.toFixed(2));

  // readers do not see it: they could tell others' answers by it
  async function showAgreement() {
    const asked = queue;
    $("agreement").hidden = true;
    if (!session.is_adjudicator) return;
    try {
      const { agreement } = await api("/api/agreement", { benchmark: asked.benchmark, queue: asked.queue });
      if (asked !== queue) return;
      $("agreement-rows").replaceChildren(...Object.entries(agreement).map(([name, found]) => element("tr", {},
        element("td", {}, questionText(name)),
        element("td", { class: "number" }, String(found.n_records)),
        ...["percent", "krippendorff_alpha", "fleiss_kappa", "gwet_ac1"].map((statistic) => element("td", { class: "number" },
          `${share(found[statistic])}${found[`${statistic}_low`] === null ? "" : ` (${share(found[`${statistic}_low`])} to ${share(found[`${statistic}_high`])})`}`)))));
      $("agreement").hidden = !Object.keys(agreement).length;
    } catch (error) {
      notice(error.message);
    }
  }

  const pictureAddress = (of, shown, place) =>
    `/picture?${new URLSearchParams({ benchmark: of.benchmark, queue: of.queue, record_id: shown.record_id, place, md5: shown.record_md5 })}`;

  function show(next) {
    turn += 1;
    record = next;
    for (const { event } of unsent()) {
      if (event.record_id !== record.record_id || nameOf(event) !== nameOf(queue)) continue;
      if (event.kind === "undo") delete record.answers[event.question];
      else record.answers[event.question] = event.answer;
    }
    seen.set(record.record_id, record);
    if (seen.size > 40) seen.delete(seen.keys().next().value);
    hideAll();
    $("work").hidden = false;
    $("record-id").textContent = record.record_id;
    showPictures();
    $("texts").replaceChildren(...record.texts.flatMap((text) => [
      element("dt", {}, text.label),
      element("dd", { lang: text.language, dir: text.direction || "auto" }, ...text.parts.map((part) => (part.is_marked ? element("mark", {}, part.text) : part.text))),
    ]));
    $("choices").replaceChildren(...record.choices.map((choice) => element("li", {}, element("span", { class: "letter" }, choice.letter), element("bdi", {}, choice.text))));
    $("note").value = "";
    activate(firstOpen() ?? record.questions[0]);
    $("decide").setAttribute("aria-busy", "true");
    clearTimeout(unseen);
    unseen = setTimeout(() => $("decide").removeAttribute("aria-busy"), UNSEEN);
    window.scrollTo(0, 0);
    focusRecord();
    prepare();
  }

  const firstOpen = () => record.questions.find((name) => !(name in record.answers));

  function focusRecord() {
    $("record").focus({ preventScroll: true });
  }

  function activate(question) {
    active = question;
    wanted = null;
    showQuestions();
  }

  function showQuestions() {
    const given = (name) => (name in record.answers ? answerLabel(name, record.answers[name]) : "");
    $("questions").replaceChildren(...record.questions.map((name) => element(
      "li",
      { "aria-current": name === active ? "step" : null },
      button([element("span", {}, questionText(name)), element("span", { class: "given" }, given(name))], () => { activate(name); focusRecord(); }),
    )));
    $("asked").textContent = questionText(active);
    const said = record.said?.[active] ?? [];
    $("readers-said").hidden = !said.length;
    $("readers-said").replaceChildren(...said.map((one) => element("li", {},
      element("b", {}, `${one.n} of ${said.reduce((n, other) => n + other.n, 0)}: ${answerLabel(active, one.answer)}`),
      ...one.notes.map((note) => element("bdi", {}, `“${note}”`)))));
    $("answers").replaceChildren(...queue.questions[active].answers.map((answer) => button(
      [element("kbd", {}, answer.key), answer.label],
      () => choose(answer),
      { "aria-pressed": String((wanted?.answer ?? record.answers[active]) === answer.answer), "data-answer": answer.answer },
    )));
    if (wanted) $("note-block").hidden = false;
    else if (!$("note").value.trim()) $("note-block").hidden = true;
    $("note-label").replaceChildren(...(wanted
      ? [`Why “${wanted.label}”? `, element("kbd", {}, "Enter"), " keeps it, ", element("kbd", {}, "Esc"), " takes it back"]
      : ["A note to your next answer"]));
    $("note-block").classList.toggle("wanted", wanted !== null);
    $("keep").hidden = wanted === null;
    $("flag").setAttribute("aria-pressed", String(FLAG in record.answers));
  }

  // a line stays the element that it is: a click would be lost if its button were made anew meanwhile
  function showLast() {
    const waiting = new Set(session?.reader ? unsent().map(({ event }) => event.event_id) : []);
    const list = $("decisions");
    const shown = new Map([...list.children].map((line) => [line.dataset.event, line]));
    const lines = last.map((one) => shown.get(one.event_id) ?? lineOf(one));
    for (const line of shown.values()) if (!lines.includes(line)) line.remove();
    for (const [place, line] of lines.entries()) {
      if (list.children[place] !== line) list.insertBefore(line, list.children[place] ?? null);
      line.querySelector(".waiting").hidden = !waiting.has(line.dataset.event);
    }
    $("last").hidden = !last.length;
  }

  const lineOf = (one) => element(
    "li",
    { "data-event": one.event_id },
    element("code", {}, one.record_id),
    element("span", { class: "what" },
      `${questionText(one.question)} `,
      element("span", { class: "given" }, answerLabel(one.question, one.answer)),
      one.note ? element("bdi", {}, ` (${one.note})`) : "",
      element("span", { class: "waiting" }, " unsent")),
    button("Undo", () => undo(one), { "aria-label": `Undo ${answerLabel(one.question, one.answer)} on ${one.record_id}` }),
  );

  function showKeys() {
    const rows = new Map();
    for (const question of Object.values(queue.questions)) {
      for (const { key, label } of question.answers) {
        rows.set(key, [...new Set([...(rows.get(key) ?? []), label])]);
      }
    }
    const own = [["space", "skip: the record comes again after all others"], ["⌫", "undo the last answer"], ["f", "flag: somebody should look at it again"], ["n", "write a note"], ["+ − 0", "zoom in, out, whole; a click zooms there"], ["← ↑ → ↓", "move the zoomed picture"], ["?", "these keys"]];
    const lines = [...[...rows].map(([key, labels]) => [key, labels.join(" · ")]), ...own];
    $("keys").replaceChildren(...lines.flatMap(([key, what]) => [
      element("dt", {}, ...key.split(" ").map((one) => element("kbd", {}, one))),
      element("dd", {}, what),
    ]));
  }

  // pictures, and looking at them closely

  let frames = [];

  function showPictures() {
    frames = [];
    $("work").classList.toggle("texts-alone", !record.pictures.length);
    $("pictures").classList.toggle("many", record.pictures.length > 1);
    $("pictures").replaceChildren(...record.pictures.map((picture, place) => {
      const caption = element("figcaption", {}, picture.role);
      if (!picture.is_there) {
        return element("figure", {}, element("p", { class: "absent" }, "This picture is not landed, or not rendered."), caption);
      }
      const image = element("img", { src: pictureAddress(queue, record, place), alt: picture.role, draggable: "false" });
      const frame = element("button", { type: "button", class: "frame", "aria-label": `Zoom: ${picture.role}` }, image);
      image.addEventListener("error", () => frame.replaceWith(element("p", { class: "absent" }, "This picture cannot be read.")));
      frames.push(zoomable(frame, image));
      return element("figure", {}, frame, caption);
    }));
  }

  function zoomable(frame, image) {
    const view = { scale: 1, x: 0, y: 0 };
    const within = (value, size) => Math.min(0, Math.max(value, size * (1 - view.scale)));
    const draw = () => {
      view.x = within(view.x, frame.clientWidth);
      view.y = within(view.y, frame.clientHeight);
      image.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
      frame.classList.toggle("zoomed", view.scale > 1);
    };
    // what is at a point of the frame stays there
    const zoom = (factor, x = frame.clientWidth / 2, y = frame.clientHeight / 2) => {
      const scale = Math.min(8, Math.max(1, view.scale * factor));
      view.x = x - ((x - view.x) * scale) / view.scale;
      view.y = y - ((y - view.y) * scale) / view.scale;
      view.scale = scale;
      draw();
    };
    const move = (x, y) => { view.x += x; view.y += y; draw(); };
    let grip = null;
    let isDragged = false;
    frame.addEventListener("pointerdown", (event) => {
      grip = { x: event.clientX, y: event.clientY };
      isDragged = false;
    });
    frame.addEventListener("pointermove", (event) => {
      if (!grip || view.scale === 1) return;
      const [x, y] = [event.clientX - grip.x, event.clientY - grip.y];
      if (!isDragged && Math.hypot(x, y) < 4) return;
      if (!isDragged) frame.setPointerCapture(event.pointerId);
      isDragged = true;
      frame.classList.add("dragged");
      grip = { x: event.clientX, y: event.clientY };
      move(x, y);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      frame.addEventListener(end, () => { grip = null; frame.classList.remove("dragged"); });
    }
    frame.addEventListener("click", (event) => {
      if (isDragged) return;
      const box = frame.getBoundingClientRect();
      // a key on the button has no place
      const at = event.detail ? [event.clientX - box.left, event.clientY - box.top] : [];
      zoom(view.scale > 1 ? 1 / 8 : 2.5, ...at);
      focusRecord();
    });
    frame.addEventListener("wheel", (event) => {
      if (view.scale === 1 && !event.ctrlKey) return;
      event.preventDefault();
      const box = frame.getBoundingClientRect();
      zoom(event.deltaY < 0 ? 1.25 : 0.8, event.clientX - box.left, event.clientY - box.top);
    }, { passive: false });
    return { zoom, move, isZoomed: () => view.scale > 1 };
  }

  // deciding

  function newEvent(kind, question, more) {
    return {
      event_id: newId(),
      kind,
      benchmark: queue.benchmark,
      queue: queue.queue,
      question,
      reader: session.reader,
      ...more,
    };
  }

  function choose(answer) {
    if ($("decide").hasAttribute("aria-busy")) {
      say("This record has only just come. Look at it first.");
      return;
    }
    if (answer.is_note_wanted && wanted !== answer && !$("note").value.trim()) {
      wanted = answer;
      showQuestions();
      $("note").focus();
      return;
    }
    vote(active, answer.answer);
    const next = firstOpen();
    if (next === undefined) {
      say(`${answer.label}. Next record.`);
      advance();
    } else {
      say(`${answer.label}. ${questionText(next)}`);
      activate(next);
      focusRecord();
    }
  }

  function vote(question, answer) {
    const event = newEvent(session.is_adjudicator && question !== FLAG ? "ruling" : "vote", question, {
      record_id: record.record_id,
      record_md5: record.record_md5,
      answer,
      note: $("note").value.replaceAll("\0", "").trim() || null,
    });
    changes += 1;
    store(event);
    record.answers[question] = answer;
    $("note").value = "";
    skipped = skipped.filter((one) => one !== record.record_id);
    last = [event, ...last].slice(0, LAST);
    showLast();
    send();
    showUnsent();
  }

  function flag() {
    const flagged = last.find((one) => one.question === FLAG && one.record_id === record.record_id);
    if (FLAG in record.answers && flagged) {
      takeBack(flagged);
      say("Not flagged.");
    } else if (!(FLAG in record.answers)) {
      vote(FLAG, "yes");
      say("Flagged.");
    }
    wanted = null;
    showQuestions();
    focusRecord();
  }

  function takeBack(one) {
    changes += 1;
    store(newEvent("undo", one.question, { record_id: one.record_id, record_md5: one.record_md5, undoes: one.event_id }));
    last = last.filter((other) => other.event_id !== one.event_id);
    const known = seen.get(one.record_id);
    if (known) delete known.answers[one.question];
    showLast();
    send();
  }

  async function undo(one = last[0]) {
    if (!one) {
      say("There is nothing to undo.");
      return;
    }
    takeBack(one);
    const left = record;
    if (one.record_id === left?.record_id) {
      activate(one.question === FLAG ? active : one.question);
      focusRecord();
    } else {
      turn += 1;
      const ticket = turn;
      let found = seen.get(one.record_id);
      if (!found) {
        try {
          found = (await api("/api/record", { benchmark: queue.benchmark, queue: queue.queue, record_id: one.record_id })).record;
        } catch (error) {
          notice(`Undone; the record cannot be shown again: ${error.message}`);
          return;
        }
      }
      if (ticket !== turn) return;
      delete found.answers[one.question];
      show(found);
      if (one.question !== FLAG) activate(one.question);
      // what was on the screen comes back afterwards
      if (left) upcoming = Promise.resolve({ record: left });
    }
    say(`Undone: ${answerLabel(one.question, one.answer)} on ${one.record_id}.`);
  }

  function skip() {
    skipped = [...skipped.filter((one) => one !== record.record_id), record.record_id].slice(-1000);
    try {
      sessionStorage.setItem(skippedKey(), JSON.stringify(skipped));
    } catch {
      // it is skipped until the page is loaded again
    }
    say("Skipped.");
    advance();
  }

  // keys

  const ZOOMS = { "+": 1.5, "=": 1.5, "-": 1 / 1.5, 0: 1 / 8 };
  const MOVES = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };

  // the letter of a key, also on keyboards of other scripts
  function letter(event) {
    const place = /^(?:Key|Digit)(.)$/.exec(event.code);
    const isLatin = event.key.length === 1 && event.key.charCodeAt(0) < 128;
    return place && !isLatin ? place[1].toLowerCase() : event.key.length === 1 ? event.key.toLowerCase() : event.key;
  }

  function onKey(event) {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if ($("help").open || event.target.closest("input, textarea, select")) return;
    if ([" ", "Enter"].includes(event.key) && event.target.closest("button, a")) return;
    const act = event.key === "?" ? () => $("help").showModal() : $("keys-on").checked ? action(letter(event)) : null;
    if (!act) return;
    event.preventDefault();
    // a key that is held down decides once
    if (!event.repeat || event.key in MOVES) act();
  }

  function action(key) {
    if (key === "Backspace") return queue && last.length ? () => undo() : null;
    if (!record || $("work").hidden) return null;
    const answer = queue.questions[active].answers.find((one) => one.key.toLowerCase() === key);
    if (answer) return () => choose(answer);
    if (key === " ") return skip;
    if (key === "f") return flag;
    if (key === "n") return openNote;
    if (key in ZOOMS && frames.length) return () => frames.forEach((frame) => frame.zoom(ZOOMS[key]));
    if (key in MOVES && frames.some((frame) => frame.isZoomed())) return () => frames.forEach((frame) => frame.move(...MOVES[key]));
    return null;
  }

  function openNote() {
    $("note-block").hidden = false;
    $("note").focus();
  }

  function onNoteKey(event) {
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      keep();
    } else if (event.key === "Escape") {
      event.preventDefault();
      wanted = null;
      showQuestions();
      focusRecord();
    }
  }

  function keep() {
    if (wanted) choose(wanted);
    else focusRecord();
  }

  const KEYS_ON = `${OUTBOX}-keys`;
  try {
    $("keys-on").checked = localStorage.getItem(KEYS_ON) !== "off";
  } catch {
    // they are on
  }
  $("keys-on").addEventListener("change", () => {
    try {
      localStorage.setItem(KEYS_ON, $("keys-on").checked ? "on" : "off");
    } catch {
      // for this time
    }
  });
  document.addEventListener("keydown", onKey);
  $("note").addEventListener("keydown", onNoteKey);
  $("keep").addEventListener("click", keep);
  $("skip").addEventListener("click", skip);
  $("undo").addEventListener("click", () => undo());
  $("message-undo").addEventListener("click", () => undo());
  $("open-note").addEventListener("click", openNote);
  $("flag").addEventListener("click", flag);
  $("agreement-again").addEventListener("click", showAgreement);
  $("open-help").addEventListener("click", () => $("help").showModal());
  $("sign-in").addEventListener("submit", signIn);
  $("change-reader").addEventListener("click", () => { turn += 1; record = null; askName(); });
  $("language").addEventListener("change", chooseLanguage);
  $("queue").addEventListener("change", () => {
    turn += 1;
    location.hash = encodeURIComponent($("queue").value);
  });
  window.addEventListener("hashchange", () => { if (session?.reader) openQueue(); });
  window.addEventListener("online", send);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) send(); });
  start();
})();
