"use strict";
(() => {
  const form = document.querySelector("form.filter");
  const search = document.getElementById("search");
  const severity = document.getElementById("severity");
  const area = document.getElementById("area");
  const shown = document.getElementById("shown");
  const items = [...document.querySelectorAll("[data-item]")];
  const sections = [...document.querySelectorAll("[data-section]")];
  const worse = ["low", "medium", "high", "critical"];
  const texts = new Map(items.map((item) => [item, item.textContent.toLowerCase()]));

  const matches = (item, words, actions, least) => {
    const { kind, action, severity: has } = item.dataset;
    if (kind === "change" && !actions.has(action)) return false;
    if (kind === "finding" && least && worse.indexOf(has) < worse.indexOf(least)) return false;
    if (kind === "finding" && area.value && item.dataset.area !== area.value) return false;
    const text = texts.get(item);
    return words.every((word) => text.includes(word));
  };

  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const actions = new Set([...form.querySelectorAll("input[name=action]:checked")].map((box) => box.value));
    let left = 0;
    for (const item of items) {
      item.hidden = !matches(item, words, actions, severity.value);
      if (!item.hidden) left += 1;
    }
    for (const section of sections) {
      const all = section.querySelectorAll("[data-item]").length;
      const seen = section.querySelectorAll("[data-item]:not([hidden])").length;
      section.hidden = seen === 0;
      section.querySelector("[data-count]").textContent = seen === all ? `${all}` : `${seen} of ${all}`;
    }
    shown.textContent = left === items.length ? "" : `${left} of ${items.length} shown`;
  };

  const fold = (open) => {
    for (const item of items) {
      if (!item.hidden) for (const part of item.querySelectorAll("details")) part.open = open;
    }
  };

  for (const one of new Set(items.map((item) => item.dataset.area).filter(Boolean))) area.append(new Option(one, one));
  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("change", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("open").addEventListener("click", () => fold(true));
  document.getElementById("close").addEventListener("click", () => fold(false));
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof Element && event.target.matches("input, select, textarea");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape" && event.target === search) {
      search.value = "";
      apply();
    }
  });
  addEventListener("beforeprint", () => fold(true));
})();
