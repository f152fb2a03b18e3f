"use strict";
const root = document.documentElement;
const followTheme = () => root.classList.toggle("dark-mode", root.dataset.theme === "dark");

/* Corrects what Swagger UI leaves out for assistive technology. */
const correct = () => {
  for (const select of document.querySelectorAll("select:not([aria-label])")) {
    const isType = select.classList.contains("content-type");
    select.setAttribute("aria-label", isType ? "Media type" : select.closest("[class*=examples]") ? "Example" : "Value");
  }
  for (const link of document.querySelectorAll("button a[href]")) link.removeAttribute("href"); // the button does the same
  for (const code of document.querySelectorAll("pre:not([tabindex])")) code.tabIndex = 0; // scrolls by keyboard
  for (const table of document.querySelectorAll("table[role=region]")) table.removeAttribute("role");
  for (const title of document.querySelectorAll("h3, h4, h5")) title.ariaLevel = String(Number(title.tagName[1]) - 1);
  const about = document.querySelector(".information-container");
  about?.setAttribute("role", "region");
  about?.setAttribute("aria-label", "About");
};

new MutationObserver(followTheme).observe(root, { attributeFilter: ["data-theme"] });
new MutationObserver(correct).observe(document.getElementById("swagger-ui"), { childList: true, subtree: true });
followTheme();

window.ui = SwaggerUIBundle({
  url: "openapi.yaml",
  dom_id: "#swagger-ui",
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  deepLinking: true,
  syntaxHighlight: false, // its colours have too little contrast
  validatorUrl: null, // otherwise the page would send the document to a validator on another host
});
