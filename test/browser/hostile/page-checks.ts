/** Checks that run in a page, beside the program. */
interface PageChecks {
  /** Returns what only strings of data can have made, now or at any time since the last call. */
  readonly offences: () => readonly string[];
  /** Moves everything that scrolls to its end, step by step. */
  readonly scrollThrough: () => Promise<void>;
  /** Returns those of the strings that the page or a field of it shows. */
  readonly shown: (strings: readonly string[]) => readonly string[];
}

declare global {
  var hostileChecks: PageChecks;
}

/**
 * Installs `hostileChecks`, as an initial script of a page: nothing outside of it is there.
 * Elements are checked as they arrive, so that what a list drew while it was scrolled need not be looked for again.
 */
export function installPageChecks(): void {
  const MAX_STEPS = 30;
  const NEVER =
    /^(?:iframe|frame|frameset|object|embed|applet|base|style|math|marquee|audio|video|source|track|portal|template|noscript|bgsound|plaintext|xmp|map|area|picture|font|center|slot|details|summary|isindex|keygen|image|animate|set|use|foreignobject|feimage|mpath|handler|listener|script)$/;
  const CLOBBERING =
    /^(?:__proto__|constructor|prototype|hasOwnProperty|toString|valueOf|document|body|location|cookie|getElementById|attributes|children|parentNode|x)$/;
  const ACTIVE = /^on|^(?:srcdoc|formaction|action|xlink:href|ping|background|srcset|poster|is)$/i;
  let found = new Set<string>();
  /** Elements that arrived since the page began. */
  let arrived = 0;

  const check = (element: Element) => {
    const name = element.localName.toLowerCase();
    const own = (element.getAttribute('src') ?? element.getAttribute('href') ?? '').replace(location.origin, '');
    const isOurScript = name === 'script' && own.startsWith('/assets/') && element.parentElement === document.head;
    const report = (offence: string) => found.add(`${offence}: ${element.outerHTML.slice(0, 200)}`);
    const isOurNote = name === 'noscript' && element.parentElement === document.body;
    if (NEVER.test(name) && !isOurScript && !isOurNote) report('element');
    if (name === 'link' && !/^\/(?:assets\/|icon\.svg)/.test(own)) report('link');
    if (name === 'meta' && element.parentElement !== document.head) report('meta');
    // CodeMirror has pictures without a source around its marks.
    const isOurPicture = element.className === 'cm-widgetBuffer' && own === '';
    if (name === 'img' && !isOurPicture && !/^(?:blob:|data:image\/(?:png|jpeg|gif|webp|avif);|\/assets\/)/.test(own))
      report('picture');
    if (element instanceof HTMLUnknownElement || name.includes('-')) report('unknown element');
    if (name === 'a' && element.namespaceURI !== 'http://www.w3.org/1999/xhtml') report('link in a picture');
    for (const attribute of element.attributes) {
      const { value } = attribute;
      if (ACTIVE.test(attribute.name)) report(attribute.name);
      if (attribute.name === 'style' && /url\(|expression|@import/i.test(value)) report('style');
      if (attribute.name === 'href' && name === 'a') {
        const isPage = /^(?:\/(?![/\\])|#[\w-]*$)/.test(value) && !/^\/(?:services|session)(?:\/|$)/.test(value);
        const isOutside = /^https?:\/\//.test(value) && element.getAttribute('rel')?.includes('noopener') === true;
        if (!isPage && !isOutside) report('address');
      }
      if (/^(?:id|name)$/.test(attribute.name) && CLOBBERING.test(value)) report('name');
    }
    if (element.shadowRoot !== null) checkBelow(element.shadowRoot);
  };
  const checkBelow = (root: ParentNode) => {
    for (const element of root.querySelectorAll('*')) check(element);
  };
  const checkChanges = (records: readonly MutationRecord[]) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'attributes' && target instanceof Element) check(target);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        arrived += 1;
        check(node);
        checkBelow(node);
      }
    }
  };
  const observer = new MutationObserver(checkChanges);
  observer.observe(document, { subtree: true, childList: true, attributes: true });

  const scrollOn = (toEnd: boolean) => {
    let isMoved = false;
    for (const element of document.querySelectorAll('*')) {
      if (element.clientHeight < 40 || element.scrollHeight <= element.clientHeight + 1) continue;
      const before = element.scrollTop;
      element.scrollTop = toEnd ? element.scrollHeight : before + element.clientHeight * 0.95;
      if (element.scrollTop > before) isMoved = true;
    }
    return isMoved;
  };

  globalThis.hostileChecks = {
    offences: () => {
      checkChanges(observer.takeRecords());
      checkBelow(document);
      const all = [...found];
      found = new Set();
      return all.slice(0, 10);
    },
    scrollThrough: async () => {
      let toEnd = false;
      for (let step = 0; step < MAX_STEPS && scrollOn(toEnd); step += 1) {
        const before = arrived;
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        checkChanges(observer.takeRecords());
        // Nothing is drawn on the way where all of it is there already.
        toEnd = arrived === before;
      }
    },
    shown: (strings) => {
      const fields = [...document.querySelectorAll('input, textarea')].map((field) =>
        field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.value : '',
      );
      const text = [document.body.textContent, ...fields].join('\n');
      return strings.filter((string) => text.includes(string));
    },
  };
}
