// Keys, fresh rows and a slider for the day. Everything works without this file.
"use strict";
(() => {
  const rows = () => [...document.querySelectorAll("[data-row]")];
  let at = -1;

  const move = (step) => {
    const all = rows();
    if (!all.length) return;
    all[at]?.classList.remove("at-row");
    at = Math.max(0, Math.min(all.length - 1, at + step));
    const row = all[at];
    row.classList.add("at-row");
    row.scrollIntoView({ block: "nearest" });
    const target = row.querySelector("a, button, input") ?? row;
    target.focus({ preventScroll: true });
  };

  const current = () => rows()[at] ?? document.querySelector(".wrap");

  const follow = (part) => {
    const link = [...current().querySelectorAll("a[href]")].find((each) => part.test(each.getAttribute("href")));
    if (link) link.click();
    return Boolean(link);
  };

  const press = (mark) => {
    const button = current().querySelector(mark);
    if (button) button.focus();
    if (button?.form) button.form.requestSubmit(button);
    return Boolean(button);
  };

  const help = () => {
    let box = document.querySelector("dialog");
    if (!box) {
      box = document.createElement("dialog");
      const lines = ["j, k: next and previous row", "w: why", "u: undo, after a preview", "a: yes to the item", "r: no to the item", "/: search", "?: this list", "Esc: close it"];
      for (const line of lines) {
        const p = document.createElement("p");
        p.textContent = line;
        box.append(p);
      }
      document.body.append(box);
    }
    box.showModal();
  };

  const keys = {
    j: () => move(1),
    k: () => move(-1),
    w: () => follow(/\/(e|talk|prompt)\//),
    u: () => press("[data-undo]") || follow(/\/undo\//),
    a: () => press("[data-yes]"),
    r: () => press("[data-no]"),
    "/": () => document.querySelector("form.search input")?.focus(),
    "?": help,
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    if (event.target.closest("input:not([type=radio],[type=checkbox]), textarea, select, dialog[open]")) return;
    event.preventDefault();
    keys[event.key]();
  });

  const sliders = () => {
    for (const input of document.querySelectorAll("input[type=date][data-first]")) {
      const first = Date.parse(input.dataset.first);
      const today = Date.parse(new Date().toISOString().slice(0, 10));
      if (!first || today <= first) continue;
      const days = Math.round((today - first) / 864e5);
      const slider = document.createElement("input");
      slider.type = "range";
      slider.max = days;
      slider.setAttribute("aria-label", "As of a day");
      const day = () => new Date(first + slider.value * 864e5).toISOString().slice(0, 10);
      slider.value = input.value ? Math.round((Date.parse(input.value) - first) / 864e5) : days;
      slider.addEventListener("input", () => (input.value = day()));
      slider.addEventListener("change", () => input.form.requestSubmit());
      input.after(slider);
    }
  };

  const busy = () => {
    const field = document.activeElement;
    const typed = [...document.querySelectorAll("textarea, input:not([type=hidden], [type=range])")].some(
      (each) => each.value !== each.defaultValue || each.checked !== each.defaultChecked
    );
    return typed || document.querySelector("dialog[open]") || field?.matches("textarea, select");
  };

  const refresh = async () => {
    if (busy() || document.hidden) return;
    const answer = await fetch(location.href, { headers: { Accept: "text/html", "X-Refresh": "rows" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of ["nav.main", ".wrap"]) {
      const old = document.querySelector(part);
      const fresh = page.querySelector(part);
      if (old && fresh && !busy()) old.replaceWith(fresh);
    }
    sliders();
  };

  const { live } = document.body.dataset;
  if (live && window.EventSource) new EventSource(live).addEventListener("change", refresh);
  sliders();
})();
