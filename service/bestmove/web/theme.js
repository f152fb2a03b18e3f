/* Light or dark: the system's theme until the user chooses one; and a notice if the page's script cannot be loaded.
   This is a classic script, not a module, because it must run before the first paint: otherwise a dark page would flash
   white. */
(() => {
  "use strict";
  const KEY = "bestmove-theme";
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // storage is off: use the system's theme
    }
  };
  const apply = () => {
    root.dataset.theme = chosen() ?? (system.matches ? "dark" : "light");
    const button = document.getElementById("theme");
    const to = root.dataset.theme === "dark" ? "light" : "dark";
    button?.setAttribute("aria-label", `Switch to the ${to} theme`);
  };
  const report = (/** @type {Event} */ { target }) => {
    if (!(target instanceof HTMLScriptElement)) return;
    const notice = document.createElement("p");
    notice.className = "notice";
    notice.textContent = "The page could not be loaded. Reload it to try again.";
    document.querySelector("header")?.after(notice);
  };
  addEventListener("error", report, true);
  apply();
  system.addEventListener("change", apply);
  document.addEventListener("DOMContentLoaded", () => {
    apply();
    document.getElementById("theme")?.addEventListener("click", () => {
      const to = root.dataset.theme === "dark" ? "light" : "dark";
      const usual = system.matches ? "dark" : "light";
      try {
        if (to === usual) localStorage.removeItem(KEY);
        else localStorage.setItem(KEY, to);
        apply();
      } catch {
        root.dataset.theme = to;
      }
    });
  });
})();
