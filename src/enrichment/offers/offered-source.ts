import type { ClassificationEngine } from '../../classification/classification.ts';
import { Forbidden, InvalidInput, NotFound } from '../../errors/errors.ts';
import type { Actor } from '../../identity/actor.ts';
import { isObject } from '../../json/json-object.ts';
import type { Source } from '../sources/source.ts';
import type { SourceDirectory } from '../sources/source-directory.ts';

/** Returns a source that the caller may see. @throws NotFound `source_missing` */
export function visibleSource(sources: Pick<SourceDirectory, 'find'>, name: string, actor: Actor): Source {
  const source = sources.find(name);
  if (source?.isVisibleTo(actor)) return source;
  throw new NotFound('source_missing', `Plugin ${name} does not exist.`);
}

/** Selectors of one request that are looked at. */
const MAX_SELECTORS = 5000;

/**
 * Rejects selectors that the source may not learn: those whose classification is above its maximum.
 * @param body an object with `selector`, `selectors`, or both; anything else has none
 * @throws InvalidInput `invalid_classification`, `too_many_selectors`; Forbidden `selector_above_source`
 */
export function assertMayLearn(source: Source, body: unknown, engine: ClassificationEngine): void {
  if (!isObject(body)) return;
  const { selector, selectors } = body;
  const several: readonly unknown[] = Array.isArray(selectors) ? selectors : [];
  if (several.length > MAX_SELECTORS) {
    throw new InvalidInput('too_many_selectors', `A request has at most ${MAX_SELECTORS} selectors.`);
  }
  assertSelectorAllowed(source, selector, 'selector', engine);
  for (const [index, one] of several.entries()) assertSelectorAllowed(source, one, `selectors.[${index}]`, engine);
}

/** Rejects one selector as `assertMayLearn` does. @param at its place in the request */
export function assertSelectorAllowed(
  { settings }: Source,
  selector: unknown,
  at: string,
  engine: ClassificationEngine,
): void {
  const classification = isObject(selector) ? selector.classification : undefined;
  if (classification === undefined || classification === null || classification === '') return;
  const place = at === '' ? 'classification' : `${at}.classification`;
  if (typeof classification !== 'string' || !isValid(classification, engine)) {
    throw new InvalidInput('invalid_classification', `"${place}": must be a valid classification`, { at: place });
  }
  const { name, maxClassification } = settings;
  if (engine.isAccessible(maxClassification, classification)) return;
  throw new Forbidden(
    'selector_above_source',
    `Selector classification (${classification}) exceeds max classification of source: ${name} (${maxClassification}).`,
    { at: place },
  );
}

function isValid(text: string, engine: ClassificationEngine): boolean {
  try {
    engine.normalise(text);
    return true;
  } catch {
    return false;
  }
}
