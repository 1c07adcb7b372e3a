// @ts-check
/**
 * Builds the page without a framework: `h` makes elements, `draw` brings a part of the page to a
 * new state. What stays on the page stays the same element, so that focus, scrolling, running
 * transitions, a press that has begun and what a screen reader is told about are not disturbed.
 */

/** @typedef {Node|string|number|null|undefined|false} Child */
/** @typedef {(event: any) => void} Listener */

/** What the elements listen for; changed with each drawing. @type {WeakMap<Element, Map<string,
 * Listener>>} */
const listeners = new WeakMap();

/** @param {Event} event */
function dispatch(event) {
  listeners.get(/** @type {Element} */ (event.currentTarget))?.get(event.type)?.(event);
}

/** @param {Element} element @param {string} type @param {Listener} listener */
function listen(element, type, listener) {
  const own = listeners.get(element) ?? new Map();
  if (!own.has(type)) element.addEventListener(type, dispatch);
  listeners.set(element, own.set(type, listener));
}

/**
 * An element. Properties starting with `on` are listeners, `class` and `aria-*`, `data-*`, `role`
 * are attributes, `style` is an object of CSS properties, all others are set as properties.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Child|Child[])} children
 * @returns {HTMLElement}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) listen(element, name.slice(2), value);
    else if (name === 'style') {
      for (const [key, part] of Object.entries(value)) element.style.setProperty(key, part);
    } else if (name === 'class' || name === 'role' || name.includes('-')) {
      element.setAttribute(name, value);
    } else /** @type {any} */ (element)[name] = value;
  }
  element.append(...nodes(children.flat()));
  return element;
}

/** @param {Child[]} children @returns {(Node|string)[]} */
function nodes(children) {
  return children
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}

/**
 * Brings the content of `parent` to this state. The focus stays where it is; when what had it is
 * gone, it goes to the region around it (`data-region`), from where Tab goes on.
 * @param {Element} parent
 * @param {...Child} children
 */
export function draw(parent, ...children) {
  const focused = /** @type {HTMLElement|null} */ (document.activeElement);
  const isInside = focused !== null && focused !== document.body && parent.contains(focused);
  const region = focused?.closest('[data-region]')?.getAttribute('data-region');
  morphChildren(parent, nodes(children).map(
    (node) => (typeof node === 'string' ? document.createTextNode(node) : node)));
  const dialog = parent.querySelector('dialog:not([open])');
  if (dialog instanceof HTMLDialogElement) {
    dialog.showModal();
    return;
  }
  if (!isInside) return;
  if (parent.contains(focused)) {
    // An element that was moved has lost it.
    if (document.activeElement !== focused) focused.focus({ preventScroll: true });
    if (document.activeElement === focused) return;
  }
  const home = parent.querySelector(`[data-region="${region ?? 'main'}"]`)
    ?? parent.querySelector('[data-region]');
  if (home instanceof HTMLElement) home.focus({ preventScroll: true });
}

/** What makes an element the same one in the next drawing. @param {Node|null} node */
function keyOf(node) {
  return node instanceof Element ? node.getAttribute('data-key') ?? (node.id || null) : null;
}

/** @param {Element} parent @param {Node[]} wanted */
function morphChildren(parent, wanted) {
  /** @type {Map<string, Element>} */
  const keyed = new Map();
  for (const child of parent.children) {
    const key = keyOf(child);
    if (key !== null) keyed.set(key, child);
  }
  /** @type {ChildNode|null} */
  let place = parent.firstChild;
  for (const node of wanted) {
    const found = counterpart(node, place, keyed);
    if (found === null) parent.insertBefore(node, place);
    else {
      if (found === place) place = place.nextSibling;
      else parent.insertBefore(found, place);
      morph(found, node);
    }
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/**
 * What stands for a node already: of the same key, or else the next one of the same kind.
 * @param {Node} node @param {ChildNode|null} place @param {Map<string, Element>} keyed
 * @returns {ChildNode|null}
 */
function counterpart(node, place, keyed) {
  const key = keyOf(node);
  if (key !== null) {
    const found = keyed.get(key) ?? null;
    keyed.delete(key);
    return found?.nodeName === node.nodeName ? found : null;
  }
  let found = place;
  while (found && (keyOf(found) !== null || kindOf(found) !== kindOf(node))) {
    found = found.nextSibling;
  }
  return found;
}

/** The name of a node with its first class. @param {Node} node */
function kindOf(node) {
  return node instanceof Element ? `${node.nodeName}.${node.classList[0] ?? ''}` : node.nodeName;
}

/** Makes an old node what a new one is. @param {Node} old @param {Node} fresh */
function morph(old, fresh) {
  if (!(old instanceof Element) || !(fresh instanceof Element)) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  for (const { name } of [...old.attributes]) {
    // A dialog is opened by the drawing and closed by being taken away.
    if (fresh.hasAttribute(name) || (name === 'open' && old.nodeName === 'DIALOG')) continue;
    old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) === value) continue;
    // The page's policy forbids the attribute, but not the property.
    if (name === 'style' && old instanceof HTMLElement) old.style.cssText = value;
    else old.setAttribute(name, value);
  }
  const [before, now] = [listeners.get(old), listeners.get(fresh)];
  for (const type of before?.keys() ?? []) if (!now?.has(type)) before?.set(type, () => {});
  for (const [type, listener] of now ?? []) listen(old, type, listener);
  morphChildren(old, [...fresh.childNodes]);
  morphValue(old, fresh);
}

/** What is filled in is no attribute. @param {Element} old @param {Element} fresh */
function morphValue(old, fresh) {
  if (old instanceof HTMLInputElement && fresh instanceof HTMLInputElement) {
    if (old.checked !== fresh.checked) old.checked = fresh.checked;
    if (old.value !== fresh.value) old.value = fresh.value;
  } else if (old instanceof HTMLSelectElement && fresh instanceof HTMLSelectElement) {
    if (old.value !== fresh.value) old.value = fresh.value;
  }
}

/**
 * A button. Its label is its `data-key` by default, so that it is the same one in the next drawing.
 * @param {string} label
 * @param {() => void} press
 * @param {Record<string, any>} [properties]
 */
export function button(label, press, properties = {}) {
  return h('button', { type: 'button', 'data-key': label, onclick: press, ...properties }, label);
}
