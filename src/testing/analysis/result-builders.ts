import type { ResultContent, ResultFile, SectionContent } from '../../analysis/result-views/result-content.ts';

const TIME = '2026-01-02T03:04:05.000000Z';

/** For tests: 64 hexadecimal digits that begin with those of the number. */
export function aSha256(number: number): string {
  return number.toString(16).padStart(8, '0').repeat(8);
}

/** For tests: a section of text that is open to every reader. */
export function aSection(changes: Partial<SectionContent> = {}): SectionContent {
  return {
    auto_collapse: false,
    body: 'body',
    body_format: 'TEXT',
    classification: 'TLP:CLEAR',
    depth: 0,
    tags: {},
    safelisted_tags: {},
    title_text: 'title',
    ...changes,
  };
}

/** For tests: a heuristic with a score. */
export function aHeuristic(heur_id: string, score: number): NonNullable<SectionContent['heuristic']> {
  return { heur_id, name: `Heuristic ${heur_id}`, score, attack: [], signature: [] };
}

/** For tests: an entry of an extracted or supplementary file. */
export function aResultFile(changes: Partial<ResultFile> & { readonly sha256: string }): ResultFile {
  return {
    allow_dynamic_recursion: false,
    classification: 'TLP:CLEAR',
    description: 'a file',
    is_section_image: false,
    name: 'file',
    parent_relation: 'EXTRACTED',
    ...changes,
  };
}

export interface ResultParts {
  readonly sha256?: string;
  readonly service?: string;
  readonly score?: number;
  readonly classification?: string;
  readonly sections?: readonly SectionContent[];
  readonly extracted?: readonly ResultFile[];
  readonly supplementary?: readonly ResultFile[];
}

/** For tests: a result of a service. Its score is that of its sections unless given. */
export function aResult(parts: ResultParts = {}): ResultContent {
  const { sha256 = aSha256(1), service = 'Mini', sections = [], extracted = [], supplementary = [] } = parts;
  return {
    classification: parts.classification ?? 'TLP:CLEAR',
    created: TIME,
    drop_file: false,
    expiry_ts: '2999-01-02T03:04:05.000000Z',
    partial: false,
    response: {
      extracted,
      milestones: { service_completed: TIME, service_started: TIME },
      service_name: service,
      service_version: '4.7.4.25',
      supplementary,
    },
    result: {
      score: parts.score ?? sections.reduce((sum, { heuristic }) => sum + (heuristic?.score ?? 0), 0),
      sections,
    },
    sha256,
    size: 10,
    type: 'text/plain',
  };
}

/** For tests: the key of a result. */
export function resultKey({ sha256, response }: Pick<ResultContent, 'sha256' | 'response'>): string {
  return `${sha256}.${response.service_name}.v${response.service_version.replaceAll('.', '_')}.c0`;
}
