import type { Submission } from '../../documents/kinds/analysis/submission.ts';

/** A submission as notifications have it, with the names of the public system. */
export interface MessageSubmission {
  readonly errors: readonly string[];
  readonly file_infos: Readonly<Record<string, unknown>>;
  readonly file_tree: Readonly<Record<string, unknown>>;
  readonly files: readonly { readonly name: string; readonly sha256: string; readonly size: number }[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly notification: { readonly queue: string | null; readonly threshold: number | null };
  readonly params: Readonly<Record<string, unknown>>;
  readonly results: Readonly<Record<string, unknown>>;
  readonly scan_key: string;
  readonly sid: string;
  readonly time: string;
}

/** Returns parameters without lists that are empty. */
export function messageParams(params: Submission['params']): Readonly<Record<string, unknown>> {
  const { psid = null, services, ...others } = params;
  const lists = Object.entries(services).filter(([, list]) => list.length > 0);
  return { ...others, psid, services: Object.fromEntries(lists) };
}
