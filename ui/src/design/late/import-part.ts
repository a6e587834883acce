import { connection } from '../../api/connection.ts';
import { translate } from '../../i18n/translation.ts';

/** A part of the program that did not load: the network is gone, or the program was updated meanwhile. */
export class PartMissing extends Error {
  override readonly name = 'PartMissing';

  constructor(cause: unknown) {
    super(translate('connection.partMissing'), { cause });
  }
}

/** Style sheets that did not load. The loader of Vite asks for each one once. */
const lostStyles = new Set<HTMLLinkElement>();
if (typeof window !== 'undefined') {
  // Errors of elements do not rise: they are caught on their way down.
  addEventListener('error', ({ target }) => isStyleSheet(target) && lostStyles.add(target), true);
}

/**
 * Imports a part of the program. Where it does not load, imports it once more when the server answers,
 * during an outage after it. Never loads the page again by itself: what is typed would be lost.
 * @throws PartMissing
 */
export async function importPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch {
    await connection.whenAnswering(location.origin);
  }
  try {
    await loadLostStyles();
    return await load();
  } catch (cause) {
    throw new PartMissing(cause);
  }
}

async function loadLostStyles(): Promise<void> {
  const lost = [...lostStyles];
  lostStyles.clear();
  await Promise.all(
    lost.map((link) => {
      const again = link.cloneNode() as HTMLLinkElement;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      again.addEventListener('load', resolve);
      again.addEventListener('error', reject);
      link.replaceWith(again);
      return promise;
    }),
  );
}

function isStyleSheet(target: EventTarget | null): target is HTMLLinkElement {
  return target instanceof HTMLLinkElement && target.rel === 'stylesheet';
}
