import type { ClearedReader } from '../result-views/cleared-reader.ts';
import { isEmptyResultKey } from '../result-views/empty-result.ts';
import { sectionTags, type VisibleSection, visibleContent } from '../result-views/format-result.ts';
import type { ResultContent, SectionContent } from '../result-views/result-content.ts';
import { byHeuristicScore, type HeuristicType, heuristicType, type Verdicts } from '../result-views/verdicts.ts';

/** The statements of the results of a submission, by result key, as the public system keeps them. */
export interface SummaryContent {
  readonly attack_matrix: readonly SummaryAttack[];
  readonly tags: readonly SummaryTag[];
  readonly heuristics: Readonly<Record<HeuristicType, readonly SummaryHeuristic[]>>;
  /** Sections by identifier of their heuristic, each text once. */
  readonly heuristic_sections: Readonly<Record<string, readonly SectionContent[]>>;
  /** Identifiers by name. */
  readonly heuristic_name_map: Readonly<Record<string, readonly string[]>>;
  readonly classification: string;
  readonly filtered: boolean;
  readonly partial: boolean;
}

export interface SummaryAttack {
  readonly key: string;
  readonly attack_id: string;
  readonly h_type: HeuristicType;
  readonly name: string;
  readonly categories: readonly string[];
}

export interface SummaryTag {
  readonly type: string;
  readonly h_type: HeuristicType;
  readonly short_type: string;
  readonly value: unknown;
  readonly key: string;
  readonly safelisted: boolean;
  readonly classification: string;
}

export interface SummaryHeuristic {
  readonly heur_id: string;
  readonly name: string;
  readonly key: string;
  readonly signatures: readonly string[];
}

export interface SummaryInput {
  readonly isCompleted: boolean;
  readonly files: ReadonlyMap<string, { readonly classification: string }>;
  /** Results with content by key. */
  readonly results: ReadonlyMap<string, ResultContent>;
  readonly lacksResults: boolean;
  readonly verdicts: Verdicts;
}

/** Collects what the results of a submission say to the reader. */
export function summarise(input: SummaryInput, reader: ClearedReader): SummaryContent {
  const collector = new SummaryCollector(input.verdicts);
  const classifications = new Set<string>();
  let filtered = false;
  let partial = !input.isCompleted || input.lacksResults;
  for (const [key, result] of input.results) {
    if (isEmptyResultKey(key)) continue;
    const file = input.files.get(result.sha256);
    if (file === undefined) partial = true;
    const minimum = file?.classification ?? result.classification;
    if (!reader.sees(minimum)) {
      filtered = true;
      continue;
    }
    const { sections, hidesSections } = visibleContent(result, minimum, reader);
    if (hidesSections) filtered = true;
    for (const section of byHeuristicScore(sections, (each) => each.section)) {
      classifications.add(section.classification);
      collector.add(key, section);
    }
  }
  return { ...collector.content, classification: reader.top(classifications), filtered, partial };
}

class SummaryCollector {
  readonly #verdicts: Verdicts;
  readonly #seen = new Set<string>();
  readonly #attacks: SummaryAttack[] = [];
  readonly #tags: SummaryTag[] = [];
  readonly #heuristics: Record<HeuristicType, SummaryHeuristic[]> = {
    info: [],
    safe: [],
    suspicious: [],
    malicious: [],
  };
  readonly #signatures = new Map<string, string[]>();
  readonly #sections = new Map<string, SectionContent[]>();
  readonly #names = new Map<string, string[]>();

  constructor(verdicts: Verdicts) {
    this.#verdicts = verdicts;
  }

  get content(): Omit<SummaryContent, 'classification' | 'filtered' | 'partial'> {
    return {
      attack_matrix: this.#attacks,
      tags: this.#tags,
      heuristics: this.#heuristics,
      heuristic_sections: Object.fromEntries(this.#sections),
      heuristic_name_map: Object.fromEntries(this.#names),
    };
  }

  add(key: string, { section, classification }: VisibleSection): void {
    const { heuristic } = section;
    const h_type = heuristicType(heuristic?.score, this.#verdicts);
    if (heuristic) this.#addHeuristic(key, section, heuristic, h_type);
    for (const { type, short_type, value, safelisted } of sectionTags(section)) {
      if (!this.#isFirst('tag', type, value, key)) continue;
      this.#tags.push({ type, h_type, short_type, value, key, safelisted, classification });
    }
  }

  #addHeuristic(
    key: string,
    section: SectionContent,
    { heur_id, name, attack = [], signature = [] }: NonNullable<SectionContent['heuristic']>,
    h_type: HeuristicType,
  ): void {
    const signatures = listAt(this.#signatures, `${heur_id}\n${key}`);
    if (this.#isFirst('heuristic', heur_id, key)) {
      this.#heuristics[h_type].push({ heur_id, name, key, signatures });
    }
    for (const one of signature) signatures.push(one.name);
    const ids = listAt(this.#names, name);
    if (!ids.includes(heur_id)) ids.push(heur_id);
    const sections = listAt(this.#sections, heur_id);
    if (this.#isFirst('section', heur_id, section.title_text, section.body, h_type)) sections.push(section);
    for (const { attack_id, pattern, categories } of attack) {
      if (!this.#isFirst('attack', attack_id, key)) continue;
      this.#attacks.push({ key, attack_id, h_type, name: pattern, categories });
    }
  }

  /** Returns whether this combination has not been seen before. */
  #isFirst(...parts: readonly unknown[]): boolean {
    const mark = parts.map(String).join('\n');
    if (this.#seen.has(mark)) return false;
    this.#seen.add(mark);
    return true;
  }
}

function listAt<T>(lists: Map<string, T[]>, key: string): T[] {
  let list = lists.get(key);
  if (list === undefined) {
    list = [];
    lists.set(key, list);
  }
  return list;
}
