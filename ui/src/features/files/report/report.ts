import { entriesMember, listMember, memberOf, numberMember, stringMember } from '../../../json/members.ts';

export interface Tag {
  readonly type: string;
  readonly value: string;
}

/** A part of a result. They are a list; a deeper one belongs to the last one above it. */
export interface Section {
  readonly title: string;
  readonly depth: number;
  readonly format: string;
  readonly body: unknown;
  readonly score: number;
  /** Name of the heuristic that scored. */
  readonly heuristic: string;
  readonly attacks: readonly string[];
  readonly tags: readonly Tag[];
  readonly isClosed: boolean;
}

export interface Result {
  readonly key: string;
  readonly service: string;
  readonly version: string;
  readonly sha256: string;
  readonly score: number;
  readonly sections: readonly Section[];
}

export interface ReportFile {
  readonly sha256: string;
  readonly names: readonly string[];
  readonly type: string;
  readonly size: number;
  readonly score: number;
  readonly depth: number;
  /** Path of hashes from the root: a file may be in several places. */
  readonly path: string;
  readonly hasChildren: boolean;
}

export interface ReportError {
  readonly key: string;
  readonly service: string;
  readonly status: string;
  readonly message: string;
}

export interface FoundTag extends Tag {
  /** Score of the worst section that has it. */
  readonly score: number;
  readonly services: readonly string[];
}

export interface Report {
  readonly sid: string;
  readonly state: string;
  readonly score: number;
  readonly description: string;
  readonly classification: string;
  readonly submitter: string;
  readonly submitted: string;
  readonly completed: string;
  /** The worst first. */
  readonly results: readonly Result[];
  readonly files: readonly ReportFile[];
  readonly infos: ReadonlyMap<string, unknown>;
  readonly errors: readonly ReportError[];
  readonly tags: readonly FoundTag[];
}

/** Reads the answer of `submission/full`. Members of another shape are left out. */
export function readReport(document: unknown): Report {
  const times = memberOf(document, 'times');
  const params = memberOf(document, 'params');
  const results = entriesMember(document, 'results')
    .map(([key, result]) => readResult(key, result))
    .sort((left, right) => right.score - left.score);
  return {
    sid: stringMember(document, 'sid'),
    state: stringMember(document, 'state'),
    score: numberMember(document, 'max_score'),
    description: stringMember(params, 'description'),
    classification: stringMember(document, 'classification'),
    submitter: stringMember(params, 'submitter'),
    submitted: stringMember(times, 'submitted'),
    completed: stringMember(times, 'completed'),
    results,
    files: filesOf(document),
    infos: new Map(entriesMember(document, 'file_infos')),
    errors: entriesMember(document, 'errors').map(([key, error]) => readError(key, error)),
    tags: tagsOf(results),
  };
}

function readResult(key: string, document: unknown): Result {
  const response = memberOf(document, 'response');
  const result = memberOf(document, 'result');
  return {
    key,
    service: stringMember(response, 'service_name'),
    version: stringMember(response, 'service_version'),
    sha256: stringMember(document, 'sha256'),
    score: numberMember(result, 'score'),
    sections: listMember(result, 'sections').map(readSection),
  };
}

function readSection(document: unknown): Section {
  const heuristic = memberOf(document, 'heuristic');
  return {
    title: stringMember(document, 'title_text'),
    depth: Math.max(0, Math.trunc(numberMember(document, 'depth'))),
    format: stringMember(document, 'body_format'),
    body: memberOf(document, 'body'),
    score: numberMember(heuristic, 'score'),
    heuristic: stringMember(heuristic, 'name'),
    attacks: listMember(heuristic, 'attack').map((attack) =>
      `${stringMember(attack, 'attack_id')} ${stringMember(attack, 'pattern')}`.trim(),
    ),
    tags: listMember(document, 'tags').map((tag) => ({
      type: stringMember(tag, 'type'),
      value: stringMember(tag, 'value'),
    })),
    isClosed: memberOf(document, 'auto_collapse') === true,
  };
}

function readError(key: string, document: unknown): ReportError {
  const response = memberOf(document, 'response');
  return {
    key,
    service: stringMember(response, 'service_name'),
    status: stringMember(response, 'status'),
    message: stringMember(response, 'message'),
  };
}

/** Returns the file tree as a list in the order of sight, without recursion: it may be deep. */
function filesOf(document: unknown): ReportFile[] {
  const files: ReportFile[] = [];
  const waiting = entriesMember(document, 'file_tree')
    .reverse()
    .map(([sha256, node]) => ({ sha256, node, depth: 0, path: sha256 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { sha256, node, depth, path } = next;
    const children = entriesMember(node, 'children');
    files.push({
      sha256,
      names: listMember(node, 'name').filter((name) => typeof name === 'string'),
      type: stringMember(node, 'type'),
      size: numberMember(node, 'size'),
      score: numberMember(node, 'score'),
      depth,
      path,
      hasChildren: children.length > 0,
    });
    for (const [child, childNode] of children.reverse()) {
      waiting.push({ sha256: child, node: childNode, depth: depth + 1, path: `${path}/${child}` });
    }
  }
  return files;
}

function tagsOf(results: readonly Result[]): FoundTag[] {
  const found = new Map<string, { type: string; value: string; score: number; services: Set<string> }>();
  for (const { service, sections } of results) {
    for (const { tags, score } of sections) {
      for (const { type, value } of tags) {
        const key = `${type} ${value}`;
        const tag = found.get(key) ?? { type, value, score: 0, services: new Set<string>() };
        tag.score = Math.max(tag.score, score);
        tag.services.add(service);
        found.set(key, tag);
      }
    }
  }
  return [...found.values()]
    .map((tag) => ({ ...tag, services: [...tag.services] }))
    .sort((left, right) => right.score - left.score);
}
