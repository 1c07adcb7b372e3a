// @ts-check
/** Builds the page without a framework. */

/** @typedef {Node|string|number|null|undefined|false} Child */

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
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'style') {
      for (const [key, part] of Object.entries(value)) element.style.setProperty(key, part);
    } else if (name === 'class' || name === 'role' || name.includes('-')) {
      element.setAttribute(name, value);
    } else /** @type {any} */ (element)[name] = value;
  }
  element.append(
    ...children
      .flat()
      .filter(isShown)
      .map((child) => (child instanceof Node ? child : String(child))),
  );
  return element;
}

/** @param {Child} child @returns {child is Node|string|number} */
function isShown(child) {
  return child !== null && child !== undefined && child !== false;
}

/**
 * Replaces the content of `parent`; the focus stays on the element with the same `data-key`, and
 * parts with the same `data-scroll` stay scrolled.
 * @param {Element} parent
 * @param {...Child} children
 */
export function draw(parent, ...children) {
  const focused = /** @type {HTMLElement|null} */ (document.activeElement);
  const key = focused && parent.contains(focused) ? focused.dataset.key : undefined;
  const scrolled = [...parent.querySelectorAll('[data-scroll]')].map((element) => [
    element.getAttribute('data-scroll') ?? '',
    element.scrollTop,
  ]);
  parent.replaceChildren(
    ...children.filter(isShown).map((child) => (child instanceof Node ? child : String(child))),
  );
  for (const [name, top] of scrolled) {
    const part = parent.querySelector(`[data-scroll="${CSS.escape(String(name))}"]`);
    if (part) part.scrollTop = Number(top);
  }
  if (key === undefined) return;
  const heir = parent.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (heir instanceof HTMLElement) heir.focus({ preventScroll: true });
}

/**
 * A button. Its label is its `data-key` by default, so that the focus survives a redraw.
 * @param {string} label
 * @param {() => void} press
 * @param {Record<string, any>} [properties]
 */
export function button(label, press, properties = {}) {
  return h('button', { type: 'button', 'data-key': label, onclick: press, ...properties }, label);
}
