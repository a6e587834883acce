/** Manifest of a built-in analyzer: the one of the service protocol (contract/analysis.md section 8.6). */
export interface AnalyzerManifest {
  readonly name: string;
  /** Goes up whenever results change, so that earlier ones do not count as cached. */
  readonly version: string;
  readonly tool_version: string;
  readonly description: string;
  /** Regular expressions on the type of the file. */
  readonly accepts: string;
  readonly rejects: string;
  readonly stage: string;
  readonly category: string;
  /** Seconds. */
  readonly timeout: number;
  readonly enabled: boolean;
  readonly file_required: boolean;
  readonly uses_temp_submission_data?: boolean;
  readonly monitored_keys?: readonly string[];
  readonly config: Readonly<Record<string, unknown>>;
  readonly submission_params: readonly SubmissionParameter[];
  readonly heuristics: readonly ManifestHeuristic[];
  readonly docker_config: {
    /** `BUILT_IN_IMAGE`. */
    readonly image: string;
    readonly cpu_cores: number;
    /** Megabytes of memory at which the process is killed. */
    readonly ram_mb: number;
  };
}

interface SubmissionParameter {
  readonly name: string;
  readonly type: 'str' | 'int' | 'bool';
  readonly default: string | number | boolean;
  readonly value: string | number | boolean;
}

interface ManifestHeuristic {
  readonly heur_id: number;
  readonly name: string;
  readonly score: number;
  readonly filetype: string;
  readonly description: string;
  readonly attack_id?: readonly string[];
  readonly signature_score_map?: Readonly<Record<string, number>>;
}

/** Image that marks the documents of built-in analyzers; they run in no container. */
export const BUILT_IN_IMAGE = 'triad/built-in';
