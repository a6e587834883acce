import type { ClassificationEngine } from '../../classification/classification.ts';
import type { Heuristic } from '../../documents/kinds/analysis/heuristic.ts';
import type { AttackCatalogue } from '../attack/attack-catalogue.ts';
import { clampScore, type ScoredHeuristic, scoreHeuristic } from './heuristic-scoring.ts';
import {
  addTag,
  type FlatTags,
  nestedTags,
  type RejectedTag,
  readTag,
  readTags,
  type ScoredTag,
  TagBudget,
  TagScores,
  type TagValue,
} from './section-tags.ts';
import type { SentSection } from './sent-result.ts';

/** Tells which tags and signatures are safe. */
export interface SafeValues {
  isSafeTag(type: string, value: string): boolean;
  isSafeSignature(name: string): boolean;
}

export interface ScoringContext {
  readonly definitions: ReadonlyMap<string, Heuristic>;
  readonly attack: AttackCatalogue;
  readonly safe: SafeValues;
  readonly classification: ClassificationEngine;
}

interface ScoredSections {
  /** Input of the document of the result. */
  readonly sections: readonly object[];
  readonly score: number;
  readonly tags: readonly ScoredTag[];
  readonly rejected: readonly RejectedTag[];
}

/**
 * Scores the sections of a result and sorts their tags into safe and other ones.
 * See contract/analysis.md sections 4.8 and 8.5. @throws as `readTags`
 */
export function scoreSections(service: string, sent: readonly SentSection[], context: ScoringContext): ScoredSections {
  const budget = new TagBudget();
  const rejected: RejectedTag[] = [];
  const scores = new TagScores();
  let total = 0;
  const sections = sent.map((section) => {
    const scored = scoreSection(service, section, context, budget);
    rejected.push(...scored.rejected);
    const score = scored.heuristic?.score ?? 0;
    total += score;
    for (const [type, values] of scored.tags) {
      for (const value of values) scores.add(type, String(value), score);
    }
    return storedSection(section, scored, context);
  });
  return { sections, score: clampScore(total), tags: scores.list(), rejected };
}

interface ScoredSection {
  readonly definition: Heuristic | undefined;
  readonly heuristic: ScoredHeuristic | undefined;
  readonly tags: FlatTags;
  readonly safeTags: FlatTags;
  readonly rejected: readonly RejectedTag[];
}

function scoreSection(service: string, sent: SentSection, context: ScoringContext, budget: TagBudget): ScoredSection {
  const { tags, rejected } = readTags(sent.tags, budget);
  const invalid = [...rejected];
  const id = sent.heuristic && heuristicId(service, sent.heuristic.heurId);
  const definition = id === undefined ? undefined : context.definitions.get(id);
  let heuristic: ScoredHeuristic | undefined;
  if (sent.heuristic !== undefined && definition !== undefined) {
    const { attack, safe } = context;
    const isSafeSignature = (name: string) => safe.isSafeSignature(name);
    const scoring = scoreHeuristic(definition, sent.heuristic, { attack, isSafeSignature });
    heuristic = scoring.heuristic;
    for (const { type, value } of scoring.tags) {
      const read = readTag(type, value);
      if (read === undefined) invalid.push({ type, value });
      else addTag(tags, type, read);
    }
  }
  const { safeTags, otherTags } = withoutSafeTags(tags, context.safe);
  if (heuristic !== undefined && sent.zeroizeOnSafeTags && otherTags.size === 0 && safeTags.size > 0) {
    heuristic = { ...heuristic, score: 0 };
  }
  return { definition, heuristic, tags: otherTags, safeTags, rejected: invalid };
}

/** Returns the identifier of a heuristic that a service names by its number. */
export function heuristicId(service: string, id: string): string {
  return `${service.toUpperCase()}.${id}`;
}

function withoutSafeTags(tags: FlatTags, safe: SafeValues) {
  const safeTags = new Map<string, Set<TagValue>>();
  const otherTags = new Map<string, Set<TagValue>>();
  for (const [type, values] of tags) {
    for (const value of values) addTag(safe.isSafeTag(type, String(value)) ? safeTags : otherTags, type, value);
  }
  return { safeTags, otherTags };
}

function storedSection({ members }: SentSection, scored: ScoredSection, { classification }: ScoringContext): object {
  const { definition, heuristic, tags, safeTags } = scored;
  const marking = members.classification as string | null | undefined;
  // A section shows its heuristic, so its readers need the clearance for both.
  const raised =
    definition === undefined ? marking : classification.max(marking ?? undefined, definition.classification);
  return {
    ...members,
    classification: raised ?? undefined,
    heuristic,
    tags: nestedTags(tags),
    safelisted_tags: Object.fromEntries([...safeTags].map(([type, values]) => [type, [...values].map(String)])),
  };
}
