import DOMPurify from 'dompurify';
import { linkTarget, pictureAddress } from './link-target.ts';

const ALLOWED_TAGS = [
  ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'ul', 'ol', 'li', 'pre', 'code'],
  ...['strong', 'em', 's', 'small', 'a', 'img', 'span', 'bdi', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
];
const ADDRESSES = ['href', 'src'];
/** Their values are no addresses, and need not look like one. */
const OTHER_ATTR = [
  ...['rel', 'target', 'alt', 'loading', 'title', 'align', 'start'],
  ...['role', 'aria-label', 'data-mark', 'data-kind', 'data-value', 'data-widget'],
];

// The same judgement as in `markdownHtml`: an address that leads nowhere is taken away.
DOMPurify.addHook('uponSanitizeAttribute', (_element, attribute) => {
  const { attrName, attrValue } = attribute;
  if (attrName === 'href' && linkTarget(attrValue, window.location.origin) === undefined) attribute.keepAttr = false;
  if (attrName === 'src' && pictureAddress(attrValue, window.location.origin) === undefined) attribute.keepAttr = false;
});

/**
 * Turns HTML into elements; the only place of the interface that does. `markdownHtml` writes nothing
 * else than is allowed here: this holds also when the markdown parser has a fault. DOMPurify parses
 * under its own Trusted Types policy. A fragment instead of a trusted string spares the second parse,
 * in which markup can change its meaning.
 */
export function fragmentOf(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS,
    ALLOWED_ATTR: [...ADDRESSES, ...OTHER_ATTR],
    ADD_URI_SAFE_ATTR: OTHER_ATTR,
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?:\/\/|\/(?![/\\]))/i,
    FORBID_CONTENTS: ['script', 'style', 'template', 'noscript', 'iframe', 'svg', 'math'],
    RETURN_DOM_FRAGMENT: true,
  });
}
