/** A result as it is stored, in the parts that its formatting reads. */
export interface ResultContent {
  readonly archive_ts?: string | null | undefined;
  readonly from_archive?: boolean | undefined;
  readonly classification: string;
  readonly created: string;
  readonly drop_file: boolean;
  readonly expiry_ts?: string | null | undefined;
  readonly partial: boolean;
  readonly response: ResponseContent;
  readonly result: { readonly score: number; readonly sections: readonly SectionContent[] };
  readonly sha256: string;
  readonly size?: number | bigint | null | undefined;
  readonly type?: string | null | undefined;
}

export interface ResponseContent {
  readonly extracted: readonly ResultFile[];
  readonly milestones: { readonly service_completed: string; readonly service_started: string };
  readonly service_context?: string | null | undefined;
  readonly service_debug_info?: string | null | undefined;
  readonly service_name: string;
  readonly service_tool_version?: string | null | undefined;
  readonly service_version: string;
  readonly supplementary: readonly ResultFile[];
}

/** A file that an analyzer extracted, or added. */
export interface ResultFile {
  readonly allow_dynamic_recursion: boolean;
  readonly classification: string;
  readonly description: string;
  readonly is_section_image: boolean;
  readonly name: string;
  readonly parent_relation: string;
  readonly sha256: string;
}

export interface SectionContent {
  readonly auto_collapse: boolean;
  readonly body?: string | null | undefined;
  readonly body_config?: object | null | undefined;
  readonly body_format: string;
  readonly classification: string;
  readonly depth: number;
  readonly heuristic?: HeuristicContent | null | undefined;
  readonly promote_to?: string | null | undefined;
  /** Nested by the parts of the type, or flat. */
  readonly tags?: object | null | undefined;
  /** Values by flat type. */
  readonly safelisted_tags?: object | null | undefined;
  readonly title_text: string;
}

export interface HeuristicContent {
  readonly attack?: readonly AttackContent[] | undefined;
  readonly heur_id: string;
  readonly name: string;
  readonly score: number;
  readonly signature?: readonly SignatureContent[] | undefined;
}

export interface AttackContent {
  readonly attack_id: string;
  readonly pattern: string;
  readonly categories: readonly string[];
}

export interface SignatureContent {
  readonly name: string;
  readonly frequency: number;
  readonly safe: boolean;
}
