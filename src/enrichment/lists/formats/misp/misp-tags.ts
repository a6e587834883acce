import { isObject } from '../../../../json/json-object.ts';
import { strictestMarking } from '../markings.ts';

/** Statements of the tags of an event or an attribute. */
export interface MispTags {
  readonly marking: string | undefined;
  readonly confidence: number | undefined;
  readonly killChain: readonly string[];
  readonly tags: readonly string[];
}

const CONFIDENCE: Readonly<Record<string, number>> = {
  'completely-confident': 1,
  'usually-confident': 0.75,
  'fairly-confident': 0.5,
  'rarely-confident': 0.25,
  unconfident: 0,
};
const CONFIDENCE_TAG = /^misp:confidence-level="([a-z-]+)"$/;
const MAX_TAGS = 1000;

/** Reads tags by the taxonomies `tlp`, `misp:confidence-level` and `kill-chain`; the others are tags. */
export function readMispTags(value: unknown): MispTags {
  const names = Array.isArray(value) ? value.flatMap((tag: unknown) => nameOf(tag)) : [];
  const kept = names.slice(0, MAX_TAGS);
  const levels = kept.flatMap((name) => CONFIDENCE[CONFIDENCE_TAG.exec(name)?.[1] ?? ''] ?? []);
  return {
    marking: strictestMarking(names.filter((name) => /^tlp:/i.test(name))),
    confidence: levels.length === 0 ? undefined : Math.min(...levels),
    killChain: kept.filter((name) => name.startsWith('kill-chain:')),
    tags: kept.filter((name) => !/^(?:tlp|kill-chain):/i.test(name) && !CONFIDENCE_TAG.test(name)),
  };
}

function nameOf(tag: unknown): readonly string[] {
  return isObject(tag) && typeof tag.name === 'string' ? [tag.name] : [];
}
