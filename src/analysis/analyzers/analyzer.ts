/** One task of a built-in analyzer, as its process gets it. */
export interface AnalyzerRequest {
  /** Name of the service. */
  readonly analyzer: string;
  /** Path of a copy of the file. */
  readonly path: string;
  /** Empty folder for files that the analyzer hands over. */
  readonly folder: string;
  readonly file: {
    readonly sha256: string;
    readonly type: string;
    readonly name: string;
    /** Bytes. */
    readonly size: number;
  };
  /** Extracted files that the result may have. */
  readonly maxFiles: number;
  /** Submission parameters of the service. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Configuration of the service, as administrators left it. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly temporaryData: Readonly<Record<string, unknown>>;
  /** Milliseconds until the process is killed. */
  readonly timeLimit: number;
}

/** Findings of an analyzer. The host completes them to a result of the service protocol. */
export interface AnalyzerResult {
  /** Depth-first. */
  readonly sections: readonly ResultSection[];
  readonly extracted?: readonly OutputFile[];
  readonly supplementary?: readonly OutputFile[];
  /** Ends the analysis of the file after this stage. */
  readonly dropsFile?: boolean;
  /** More temporary data could lead to a better result. */
  readonly isPartial?: boolean;
}

/** A file that the analyzer left in the folder of the request. */
export interface OutputFile {
  /** Name in the folder. */
  readonly file: string;
  /** Name that people see. */
  readonly name: string;
  readonly description: string;
}

/** A section of a result, with the member names of the service protocol. */
export interface ResultSection {
  readonly title_text: string;
  readonly body: string | null;
  readonly body_format: BodyFormat;
  readonly body_config: Readonly<Record<string, unknown>>;
  readonly depth: number;
  readonly heuristic: SectionHeuristic | null;
  /** Values by the dotted name of the tag. */
  readonly tags: Readonly<Record<string, readonly string[]>>;
  readonly promote_to: 'ENTROPY' | 'URI_PARAMS' | null;
}

export type BodyFormat = 'TEXT' | 'GRAPH_DATA' | 'ORDERED_KEY_VALUE' | 'KEY_VALUE' | 'TABLE' | 'MULTI';

export interface SectionHeuristic {
  /** Number in the manifest. */
  readonly heur_id: number;
  readonly attack_ids: readonly string[];
  readonly signatures: Readonly<Record<string, number>>;
  readonly frequency: number;
  readonly score_map: Readonly<Record<string, number>>;
}

/** Looks at one file after the other. Runs in a process that may be killed at any point. */
export type Analyzer = (request: AnalyzerRequest) => Promise<AnalyzerResult>;

/** Returns a section. Structured bodies are stored as JSON. */
export function section(
  title: string,
  {
    body = null,
    format = 'TEXT',
    heuristic,
    signature,
    tags = {},
    promote = null,
  }: {
    readonly body?: unknown;
    readonly format?: BodyFormat;
    /** Number in the manifest. */
    readonly heuristic?: number | undefined;
    readonly signature?: string | undefined;
    readonly tags?: Readonly<Record<string, readonly string[]>>;
    readonly promote?: ResultSection['promote_to'];
  } = {},
): ResultSection {
  return {
    title_text: title,
    body: body === null || body === '' ? null : typeof body === 'string' ? body : JSON.stringify(body),
    body_format: format,
    body_config: {},
    depth: 0,
    heuristic:
      heuristic === undefined
        ? null
        : {
            heur_id: heuristic,
            attack_ids: [],
            signatures: signature === undefined ? {} : { [signature]: 1 },
            frequency: signature === undefined ? 1 : 0,
            score_map: {},
          },
    tags,
    promote_to: promote,
  };
}
