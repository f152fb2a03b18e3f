/** A stand-in for the browser's document: just enough to run the page's modules, without layout. */

const SWITCHES = ["hidden", "checked", "disabled", "open"];
const VOID = /^(input|meta|link|img|path|circle)$/;
const PARTS = /^[\w-]+|#[\w-]+|\.[\w-]+|\[[^\]]+\]|:not\(.*?\)|:[\w-]+/g;
/** Whether an element has all the marks of a selector without spaces, such as `button.line`. */
const fits = (element, selector) =>
  selector.match(PARTS).every((mark) => {
    if (mark.startsWith(":not")) return !fits(element, mark.slice(5, -1));
    if (mark[0] === ":") return element === document.activeElement;
    if (mark[0] === "#") return element.id === mark.slice(1);
    if (mark[0] === ".") return element.classList.contains(mark.slice(1));
    const [, name, value] = /^\[([\w-]+)(?:="?([^"]*)"?)?\]$/.exec(mark) ?? [];
    if (!name) return element.tag === mark;
    return value === undefined ? Boolean(element[name]) || element.getAttribute(name) !== null : element.getAttribute(name) === value;
  });
class Names extends Set {
  contains(name) { return this.has(name); }
  toggle(name, on) { if (on) this.add(name); else this.delete(name); }
}

class Element {
  constructor(tag) {
    Object.assign(this, { tag, nodes: [], attributes: {}, dataset: {}, heard: {}, classList: new Names(), styles: {} });
    this.style = { setProperty: (name, value) => { this.styles[name] = value; } };
    [this.parent, this.clientWidth, this.ticked] = [null, 100, false];
    for (const name of ["hidden", "disabled", "open"]) this[name] = false;
  }
  setAttribute(name, value) {
    if (name === "class") this.className = value;
    else if (SWITCHES.includes(name)) this[name] = true;
    else if (name.startsWith("data-")) this.dataset[name.slice(5)] = String(value);
    else this.attributes[name] = String(value);
  }
  getAttribute(name) { return (name.startsWith("data-") ? this.dataset[name.slice(5)] : this.attributes[name]) ?? null; }
  removeAttribute(name) { delete this.attributes[name]; }
  get className() { return [...this.classList].join(" "); }
  set className(text) { this.classList = new Names(text.split(" ")); }
  get value() { return this.chosen ?? this.attributes.value ?? this.children[0]?.value ?? ""; }
  set value(value) { this.chosen = value; }
  get checked() { return this.ticked; }
  set checked(on) {
    const radio = on && this.type === "radio" && this.parent;
    for (const other of radio ? document.querySelectorAll(`[name="${this.name}"]`) : []) other.ticked = false;
    this.ticked = on;
  }
  get children() { return this.nodes.filter((node) => node instanceof Element); }
  get options() { return this.children; }
  get selectedOptions() { return this.children.filter(({ value }) => value === this.value); }
  get childElementCount() { return this.children.length; }
  get textContent() { return this.nodes.map((node) => node.textContent ?? node).join(""); }
  set textContent(text) { this.replaceChildren(text); }
  append(...nodes) {
    for (const node of nodes.filter((one) => one instanceof Element)) { node.remove(); node.parent = this; }
    this.nodes.push(...nodes);
  }
  replaceChildren(...nodes) { this.nodes = []; this.append(...nodes); }
  remove() { if (this.parent) this.parent.nodes = this.parent.nodes.filter((node) => node !== this); }
  matches(selector) {
    return selector.split(", ").some((one) => {
      const [last, ...above] = one.split(" ").reverse();
      return fits(this, last) && above.every((each) => this.parent?.closest(each));
    });
  }
  closest(selector) { return this.matches(selector) ? this : (this.parent?.closest(selector) ?? null); }
  contains(node) { return node === this || Boolean(node?.parent && this.contains(node.parent)); }
  querySelectorAll(selector) {
    return this.children.flatMap((node) => [...(node.matches(selector) ? [node] : []), ...node.querySelectorAll(selector)]);
  }
  querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null; }
  addEventListener(type, hear) { (this.heard[type] ??= []).push(hear); }
  /** Lets the element and those around it hear an event. Returns when the handlers are done. */
  async fire(type, more = {}) {
    const event = { type, target: this, preventDefault() {}, stopPropagation() {}, ...more };
    for (let at = this; at; at = at.parent) for (const hear of at.heard[type] ?? []) await hear(event);
  }
  click(more) { return this.fire("click", more); }
  focus() { document.activeElement = this; }
  showModal() { this.open = true; }
  close() { this.open = false; }
  getBoundingClientRect() { return { top: 0, bottom: 0, left: 0, right: 0 }; }
  scrollTo() {}
  select() {}
}
for (const name of ["id", "type", "name"]) {
  Object.defineProperty(Element.prototype, name, { get() { return this.attributes[name]; } });
}

const document = new Element("document");
const make = (tag) => new Element(tag);
Object.assign(document, { createElement: make, createElementNS: (_, tag) => make(tag) });
document.getElementById = (id) => document.querySelector(`#${id}`);

/** Fills the document with a page's markup. */
export function open(markup) {
  let into = document;
  for (const [, end, tag, rest] of markup.matchAll(/<(\/?)([a-z]\w*)([^>]*)>/g)) {
    const made = make(tag);
    for (const [, name, value = ""] of rest.matchAll(/([\w-]+)(?:="([^"]*)")?/g)) made.setAttribute(name, value);
    if (end) into = into.parent;
    else into.append(made);
    if (tag === "body" && !end) document.body = made;
    if (!end && !VOID.test(tag)) into = made;
  }
}

const kept = {};
const globals = {
  document, Element, HTMLElement: Element, HTMLInputElement: Element, HTMLButtonElement: Element, window: globalThis,
  location: { hash: "", href: "http://host/#game" }, matchMedia: () => ({ matches: false }),
  localStorage: { kept, getItem: (key) => kept[key] ?? null, setItem: (key, value) => { kept[key] = value; } },
  Option: function Option(text, value) { return Object.assign(make("option"), { text, chosen: value }); },
  FormData: class {
    constructor(form) { this.form = form; }
    get(name) { return this.form.querySelectorAll(`[name="${name}"]`).find(({ checked }) => checked)?.value ?? null; }
  },
  ResizeObserver: class { observe() {} }, PointerEvent: class {},
};
for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, { value, writable: true });
