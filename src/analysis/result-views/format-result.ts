import { nestingExceeds } from '../../documents/schema/plain-objects.ts';
import { parseJson } from '../../json/lossless-json.ts';
import type { ClearedReader } from './cleared-reader.ts';
import type { HeuristicContent, ResultContent, ResultFile, SectionContent } from './result-content.ts';

/** A result as its reader sees it (contract/analysis.md section 4.2). */
export interface FormattedResult extends Omit<ResultContent, 'result'> {
  readonly from_archive: boolean;
  readonly result: { readonly score: number; readonly sections: readonly FormattedSection[] };
  readonly section_hierarchy?: readonly SectionNode[];
}

/** A section as its reader sees it. The notice of hidden sections has the required members alone. */
export interface FormattedSection {
  readonly auto_collapse?: boolean;
  readonly body: unknown;
  readonly body_config?: object;
  readonly body_format: string;
  readonly classification: string;
  readonly depth: number;
  readonly heuristic: HeuristicContent | null;
  readonly promote_to?: string | null;
  readonly tags: readonly SectionTag[];
  readonly title_text: string;
}

export interface SectionTag {
  readonly type: string;
  /** Last part of the type. */
  readonly short_type: string;
  readonly value: unknown;
  readonly safelisted: boolean;
}

/** A section by its index, with those below it. */
export interface SectionNode {
  readonly id: number;
  readonly children: SectionNode[];
}

/** A section that the reader may see, with its classification raised to that of the file. */
export interface VisibleSection {
  readonly section: SectionContent;
  readonly classification: string;
}

export interface VisibleContent {
  readonly sections: readonly VisibleSection[];
  readonly hidesSections: boolean;
  /** Sum over the visible sections where others are hidden; else the stored score. */
  readonly score: number;
  /** Entries that the reader may see. */
  readonly extracted: readonly ResultFile[];
  readonly supplementary: readonly ResultFile[];
  readonly hidesFiles: boolean;
}

/**
 * Returns the parts of a result that the reader may see.
 * @param minimum classification of the file, below which no part of it lies
 */
export function visibleContent(result: ResultContent, minimum: string, reader: ClearedReader): VisibleContent {
  const stored = result.result.sections ?? [];
  const sections: VisibleSection[] = [];
  for (const section of stored) {
    if (!reader.sees(section.classification)) continue;
    const classification = reader.max(section.classification, minimum);
    if (classification !== undefined && reader.sees(classification)) sections.push({ section, classification });
  }
  const hidesSections = sections.length < stored.length;
  const isVisible = (file: ResultFile) => reader.seesFile(file);
  const { extracted = [], supplementary = [] } = result.response;
  const visible = { extracted: extracted.filter(isVisible), supplementary: supplementary.filter(isVisible) };
  return {
    sections,
    hidesSections,
    score: hidesSections
      ? sections.reduce((sum, { section }) => sum + (section.heuristic?.score ?? 0), 0)
      : result.result.score,
    ...visible,
    hidesFiles: visible.extracted.length < extracted.length || visible.supplementary.length < supplementary.length,
  };
}

/** Returns the files that results name as extracted or supplementary, each once. */
export function filesNamedBy(results: Iterable<ResultContent>): readonly string[] {
  const hashes = new Set<string>();
  for (const { response } of results) {
    for (const { sha256 } of response.extracted) hashes.add(sha256);
    for (const { sha256 } of response.supplementary) hashes.add(sha256);
  }
  return [...hashes];
}

export interface FormatOptions {
  /** Adds `section_hierarchy`, unless the depths of the sections make no tree. */
  readonly hierarchy?: boolean;
}

/**
 * Returns a result as the reader may see it; undefined when they may not see its file.
 * Hidden sections are replaced with one notice and do not count in the score.
 * @param minimum classification of the file
 */
export function formatResult(
  result: ResultContent,
  minimum: string,
  reader: ClearedReader,
  { hierarchy = false }: FormatOptions = {},
): FormattedResult | undefined {
  if (!reader.sees(minimum)) return undefined;
  const content = visibleContent(result, minimum, reader);
  const sections = content.sections.map(({ section, classification }) => formatSection(section, classification));
  if (content.hidesSections) sections.unshift(hiddenNotice(reader.unrestricted));
  const { response } = result;
  const isWhole = reader.sees(result.classification);
  const tree = hierarchy ? sectionTree(sections) : undefined;
  return {
    archive_ts: result.archive_ts ?? null,
    classification: reader.top(
      content.sections.map((each) => each.classification),
      reader.max(minimum, reader.unrestricted) ?? minimum,
    ),
    created: result.created,
    drop_file: result.drop_file ?? false,
    expiry_ts: result.expiry_ts ?? null,
    from_archive: result.from_archive ?? false,
    partial: result.partial ?? false,
    response: {
      extracted: content.extracted.map(formatFile),
      milestones: response.milestones,
      // What an analyzer says of itself has the classification of the whole result.
      service_context: isWhole ? (response.service_context ?? null) : null,
      service_debug_info: isWhole ? (response.service_debug_info ?? null) : null,
      service_name: response.service_name,
      service_tool_version: response.service_tool_version ?? null,
      service_version: response.service_version,
      supplementary: content.supplementary.map(formatFile),
    },
    result: { score: content.score, sections },
    ...(tree === undefined ? {} : { section_hierarchy: tree }),
    sha256: result.sha256,
    size: result.size ?? null,
    type: result.type ?? null,
  };
}

/** Returns a section as clients show it: body of its format, tags as a list. */
export function formatSection(section: SectionContent, classification: string): FormattedSection {
  const { heuristic } = section;
  return {
    auto_collapse: section.auto_collapse ?? false,
    body: formatBody(section),
    body_config: section.body_config ?? {},
    body_format: section.body_format,
    classification,
    depth: section.depth,
    heuristic: heuristic
      ? { ...heuristic, attack: heuristic.attack ?? [], signature: heuristic.signature ?? [] }
      : null,
    promote_to: section.promote_to ?? null,
    tags: [...sectionTags(section)],
    title_text: section.title_text,
  };
}

/** Yields the tags of a section, the safelisted ones last. */
export function* sectionTags(section: SectionContent): Generator<SectionTag> {
  for (const [safelisted, tags] of [
    [false, section.tags],
    [true, section.safelisted_tags],
  ] as const) {
    for (const [type, value] of tagValues(tags ?? {}, '')) {
      yield { safelisted, type, short_type: type.slice(type.lastIndexOf('.') + 1), value };
    }
  }
}

function* tagValues(tags: object, prefix: string): Generator<readonly [type: string, value: unknown]> {
  for (const [name, inner] of Object.entries(tags)) {
    const type = prefix === '' ? name : `${prefix}.${name}`;
    if (inner === null || inner === undefined) continue;
    if (Array.isArray(inner)) for (const value of inner) yield [type, value];
    else if (typeof inner === 'object') yield* tagValues(inner, type);
    else yield [type, inner];
  }
}

/** Formats whose body is JSON, kept as a string. */
const JSON_FORMATS: ReadonlySet<string> = new Set([
  ...['GRAPH_DATA', 'IMAGE', 'JSON', 'KEY_VALUE', 'MULTI', 'ORDERED_KEY_VALUE'],
  ...['PROCESS_TREE', 'SANDBOX', 'TABLE', 'TIMELINE', 'URL'],
]);
/** Objects and lists inside each other; a body with more stays a string. */
const MAX_BODY_NESTING = 100;

/** Returns a body in the form of its format; what is not the JSON of its format stays a string. */
function formatBody({ body, body_format }: SectionContent): unknown {
  if (body === undefined || body === null) return null;
  if (typeof body !== 'string' || !JSON_FORMATS.has(body_format)) return body;
  try {
    const value = parseJson(body);
    return nestingExceeds(value, MAX_BODY_NESTING) ? body : value;
  } catch {
    return body;
  }
}

function formatFile(file: ResultFile): ResultFile {
  return {
    allow_dynamic_recursion: file.allow_dynamic_recursion ?? false,
    classification: file.classification,
    description: file.description,
    is_section_image: file.is_section_image ?? false,
    name: file.name,
    parent_relation: file.parent_relation ?? 'EXTRACTED',
    sha256: file.sha256,
  };
}

/** Words of the public system, which its clients show. */
function hiddenNotice(classification: string): FormattedSection {
  return {
    body:
      'One of the sections produced by the service has been removed because you do not have enough ' +
      'priviledges to see its results. \n\nContact system administrators for more information.',
    body_format: 'TEXT',
    classification,
    depth: 0,
    heuristic: null,
    tags: [],
    title_text: 'WARNING: Service sections have been sanitized',
  };
}

/** Returns sections as a tree by their depths; undefined when a depth skips a level. */
export function sectionTree(sections: readonly { readonly depth: number }[]): readonly SectionNode[] | undefined {
  const roots: SectionNode[] = [];
  /** The lists that a section of each depth belongs to. */
  const levels: SectionNode[][] = [roots];
  for (const [id, { depth }] of sections.entries()) {
    const siblings = levels[depth];
    if (siblings === undefined) return undefined;
    const node: SectionNode = { id, children: [] };
    siblings.push(node);
    levels.length = depth + 1;
    levels.push(node.children);
  }
  return roots;
}
