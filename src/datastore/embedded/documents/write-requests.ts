import {
  Conflict,
  type ErrorKind,
  Forbidden,
  InvalidInput,
  isTriadError,
  NotFound,
  TooLarge,
  TooManyRequests,
  Unauthenticated,
  Unavailable,
  Unsupported,
} from '../../../errors/errors.ts';
import type { AliasAction, LifecyclePolicy } from '../../port/index-admin.ts';
import type { UpdateOperation } from '../../port/update-operations.ts';
import type { IndexCatalogue } from '../indices/index-catalogue.ts';

/** What reaches the writer: plain data, so that the writer may run in another thread. */
export type WriteRequest =
  | {
      readonly kind: 'items';
      /** Alias, or name of a physical index. */
      readonly target: string;
      readonly items: readonly WriteItem[];
      readonly atomic: boolean;
      /** Whether the results carry the documents as they are now. */
      readonly returnDocuments: boolean;
    }
  | {
      readonly kind: 'changeFound';
      readonly index: number;
      readonly found: readonly FoundDocument[];
      readonly change: readonly UpdateOperation[] | 'delete';
      readonly dryRun: boolean;
    }
  | {
      readonly kind: 'copyRows';
      readonly source: number;
      readonly target: number;
      readonly after: number;
      readonly rows: number;
    }
  /** As `copyRows`, into an index that everybody sees: its size grows, and the log says what its columns lack. */
  | {
      readonly kind: 'appendRows';
      readonly source: number;
      readonly target: number;
      readonly after: number;
      readonly rows: number;
    }
  | { readonly kind: 'trim'; readonly seq: number }
  /** Gives back the room of up to so many deleted pages. */
  | { readonly kind: 'vacuum'; readonly pages: number }
  | { readonly kind: 'admin'; readonly operation: AdminOperation };

export type WriteItem =
  | { readonly kind: 'save'; readonly id: string; readonly json: string; readonly ifVersion?: string | undefined }
  | {
      readonly kind: 'update';
      readonly id: string;
      readonly operations: readonly UpdateOperation[];
      readonly ifVersion?: string | undefined;
    }
  | { readonly kind: 'delete'; readonly id: string; readonly ifVersion?: string | undefined };

export interface FoundDocument {
  readonly key: number;
  /** The document is changed only when it still has this sequence number. */
  readonly seq: number;
}

export interface DefinitionText {
  readonly fingerprint: string;
  readonly body: string;
}

export type AdminOperation =
  | {
      readonly op: 'create';
      readonly index: string;
      readonly definition: DefinitionText;
      readonly lifecyclePolicy?: string | undefined;
      readonly rolloverAlias?: string | undefined;
      readonly aliases: readonly { readonly name: string; readonly writeIndex?: boolean }[];
      /** An alias that must not exist yet; when it does, nothing is done. */
      readonly unlessAlias?: string;
    }
  | { readonly op: 'createLike'; readonly source: string; readonly target: string }
  | { readonly op: 'publish'; readonly index: string; readonly as: string; readonly source: string }
  | { readonly op: 'rename'; readonly index: string; readonly name: string }
  | { readonly op: 'delete'; readonly index: string }
  | { readonly op: 'blockWrites'; readonly index: string; readonly blocked: boolean }
  | { readonly op: 'switchAliases'; readonly actions: readonly AliasAction[] }
  | { readonly op: 'define'; readonly index: string; readonly definition: DefinitionText }
  | {
      readonly op: 'putTemplate';
      readonly name: string;
      readonly pattern: string;
      readonly definition: DefinitionText;
      readonly lifecyclePolicy?: string | undefined;
      readonly rolloverAlias?: string | undefined;
    }
  | { readonly op: 'putLifecyclePolicy'; readonly name: string; readonly policy: LifecyclePolicy }
  | { readonly op: 'setLifecycle'; readonly index: string; readonly policy: string; readonly rolloverAlias: string }
  /** The new index takes definition, lifecycle and the mark of the write index over. */
  | { readonly op: 'rollOver'; readonly alias: string; readonly from: string; readonly to: string };

export interface WriteFailure {
  readonly kind: ErrorKind | 'defect';
  readonly code: string;
  readonly message: string;
  readonly at?: string | number | undefined;
  readonly retryAfter?: number | undefined;
}

export type WriteItemResult =
  | {
      readonly ok: true;
      readonly id: string;
      readonly version: string;
      /** Whether there was a document before. */
      readonly existed: boolean;
      readonly json: string | undefined;
    }
  | { readonly ok: false; readonly id: string; readonly failure: WriteFailure };

export type WriteOutcome =
  | { readonly kind: 'failed'; readonly failure: WriteFailure }
  | { readonly kind: 'items'; readonly results: readonly WriteItemResult[] }
  /** `conflicts`: keys of documents that changed since they were found. */
  | { readonly kind: 'changeFound'; readonly changed: number; readonly conflicts: readonly number[] }
  | { readonly kind: 'copyRows'; readonly copied: number; readonly last: number | undefined }
  | { readonly kind: 'appendRows'; readonly copied: number; readonly last: number | undefined }
  | { readonly kind: 'trim' }
  | { readonly kind: 'vacuum'; readonly left: number }
  | { readonly kind: 'admin'; readonly catalogue: IndexCatalogue };

const CLASSES = {
  invalid_input: InvalidInput,
  unauthenticated: Unauthenticated,
  forbidden: Forbidden,
  not_found: NotFound,
  conflict: Conflict,
  too_large: TooLarge,
  too_many_requests: TooManyRequests,
  unsupported: Unsupported,
  unavailable: Unavailable,
} satisfies Record<ErrorKind, unknown>;

/** The error that another thread described. */
export function errorFrom({ kind, code, message, at, retryAfter }: WriteFailure): Error {
  if (kind === 'defect') return new Error(message);
  return new CLASSES[kind](code, message, { at, ...(retryAfter === undefined ? {} : { retryAfter }) });
}

/** An error as plain data. */
export function failureOf(error: unknown): WriteFailure {
  if (isTriadError(error)) {
    const { kind, code, message, at, retryAfter } = error;
    return { kind, code, message, at, retryAfter };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'defect', code: 'defect', message };
}
