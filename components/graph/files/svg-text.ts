/** What a picture takes from the page's style sheet; in a file there is none. */
const RESOLVED = ['fill', 'stroke', 'font-size', 'font-weight', 'paint-order'] as const;
const MONO = 'ui-monospace, Menlo, Consolas, monospace';
const SANS = 'system-ui, sans-serif';
const SVG = 'http://www.w3.org/2000/svg';

/**
 * A picture of the page as a file of its own: colours as they are drawn now, fonts that every machine has, a ground, and
 * a title for who cannot see it. Links are left out.
 */
export function svgText(
  picture: SVGSVGElement,
  { title, text }: { title: string; text: string },
): string {
  const copy = picture.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) return '';
  resolveStyles(picture, copy);
  for (const link of copy.querySelectorAll('a')) link.replaceWith(...link.childNodes);
  const { width, height } = picture.viewBox.baseVal;
  for (const name of ['class', 'style', 'tabindex', 'role', 'aria-label'])
    copy.removeAttribute(name);
  copy.setAttribute('xmlns', SVG);
  copy.setAttribute('width', String(Math.round(width)));
  copy.setAttribute('height', String(Math.round(height)));
  const ground = document.createElementNS(SVG, 'rect');
  ground.setAttribute('width', '100%');
  ground.setAttribute('height', '100%');
  ground.setAttribute('fill', getComputedStyle(picture).getPropertyValue('--surface').trim());
  copy.prepend(element('title', title), element('desc', text), ground);
  return xmlText(new XMLSerializer().serializeToString(copy));
}

/** What XML 1.0 (2.2) has no place for, and a browser's serializer writes all the same: the file would open nowhere. */
const NO_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

export const xmlText = (text: string): string => text.replace(NO_XML, '\ufffd');

function element(name: 'title' | 'desc', text: string): SVGElement {
  const made = document.createElementNS(SVG, name);
  made.textContent = text;
  return made;
}

function resolveStyles(from: Element, to: Element): void {
  const style = getComputedStyle(from);
  for (const name of RESOLVED) {
    if (from.hasAttribute(name)) to.setAttribute(name, style.getPropertyValue(name));
  }
  if (from.tagName === 'text') {
    to.setAttribute('font-family', from.classList.contains('font-mono') ? MONO : SANS);
  }
  to.removeAttribute('class');
  [...from.children].forEach((child, index) => {
    const same = to.children[index];
    if (same) resolveStyles(child, same);
  });
}
