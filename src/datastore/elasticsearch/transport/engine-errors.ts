import {
  Conflict,
  InvalidInput,
  isTriadError,
  messageOf,
  NotFound,
  TooLarge,
  type TriadError,
  Unavailable,
  Unsupported,
} from '../../../errors/errors.ts';

/** The cause of a failure in a response, an item of a bulk request, or a shard. */
export interface EngineCause {
  readonly type?: string;
  readonly reason?: string;
  readonly root_cause?: readonly EngineCause[];
  readonly caused_by?: EngineCause;
  readonly failed_shards?: readonly { readonly reason?: EngineCause }[];
}

/** Seconds until a stopped server may be back, and one that had too much to do may have less. */
const RETRY_UNREACHABLE = 5;
const RETRY_BUSY = 1;

/** Returns the error of an answer from 400 on; a plain Error, which no caller causes, is a defect here. */
export function answerError(status: number, body: unknown, question: string): Error {
  return causeError(causeOf(body), status, question);
}

export function itemError(cause: EngineCause, status: number): Error {
  return causeError(cause, status, 'an item of a bulk');
}

/** Returns whether a response says that nothing was done and that a retry may succeed. */
export function isBusyAnswer(status: number, body: unknown): boolean {
  if (status === 502 || status === 503 || status === 504) return true;
  return status === 429 && causeOf(body).type !== 'cluster_block_exception';
}

export function engineUnavailable(message: string, retryAfter = RETRY_UNREACHABLE, cause?: unknown): Unavailable {
  return new Unavailable('datastore_unavailable', message, { cause, retryAfter });
}

type Make = (reason: string, status: number) => TriadError;

/** Snake-case class names of https://github.com/elastic/elasticsearch. */
const TYPES: readonly (readonly [names: readonly string[], make: Make])[] = [
  [['version_conflict_engine_exception'], conflict],
  [['resource_already_exists_exception'], indexExists],
  [['invalid_alias_name_exception', 'invalid_index_name_exception'], invalidName],
  [['index_not_found_exception'], (reason) => new NotFound('index_missing', `There is no such index (${reason}).`)],
  [['aliases_not_found_exception', 'alias_not_found_exception'], aliasMissing],
  [['cluster_block_exception'], blocked],
  [['document_missing_exception'], documentMissing],
  [['search_context_missing_exception', 'search_context_missing_nodes_exception'], unknownCursor],
  [['mapper_parsing_exception', 'document_parsing_exception', 'strict_dynamic_mapping_exception'], documentRefused],
  [['query_shard_exception', 'parsing_exception', 'parse_exception'], invalidQuery],
  [['x_content_parse_exception', 'query_string_parse_exception'], invalidQuery],
  [['too_many_clauses', 'too_many_nested_clauses'], tooManyClauses],
  [['too_many_buckets_exception'], tooManyBuckets],
  [['es_rejected_execution_exception', 'rejected_execution_exception', 'circuit_breaking_exception'], busy],
  [['security_exception'], credentialsRefused],
  [['unavailable_shards_exception', 'no_shard_available_action_exception'], unreached],
  [['node_disconnected_exception', 'node_not_connected_exception'], unreached],
  [['process_cluster_event_timeout_exception'], unreached],
];
const BY_TYPE = new Map(TYPES.flatMap(([names, make]) => names.map((name) => [name, make] as const)));

const BY_REASON: readonly (readonly [pattern: RegExp, make: Make])[] = [
  [/^Limit of total fields/i, fieldLimitReached],
  [/matches an alias, specify the corresponding concrete indices/i, onlyAlias],
  [/to resize index\. use/i, writeBlockMissing],
  [/^Result window is too large/i, windowTooLarge],
  [/already exists as alias|an index(?: or data stream)? exists with the same name/i, indexExists],
  [/immense term|maximum allowed length|exceeds the limit of \[\d+\]/i, documentRefused],
  [/determinize|too complex to|regex|wildcard pattern|maxClauseCount/i, invalidQuery],
  [/\[\d+\] is not a valid|For input string/i, invalidQuery],
];

function causeError(cause: EngineCause, status: number, question: string): Error {
  for (const one of everyCause(cause)) {
    const make = BY_TYPE.get(one.type ?? '') ?? BY_REASON.find(([pattern]) => pattern.test(one.reason ?? ''))?.[1];
    if (make) return make(one.reason ?? '', status);
  }
  const said = `${cause.type ?? ''} ${cause.reason ?? ''}`.trim() || 'no reason given';
  if (status === 413)
    return new TooLarge('document_too_large', 'The request is larger than the search engine accepts.');
  if (status === 401 || status === 403) return credentialsRefused(said, status);
  if (status === 429) return busy(said);
  if (status >= 500) return engineUnavailable(`The search engine could not do it (status ${status}: ${said}).`);
  return new Error(`The search engine refused ${question}: status ${status}, ${said}`);
}

/** The outer cause is often no more than "all shards failed". */
function* everyCause(cause: EngineCause): Iterable<EngineCause> {
  yield cause;
  if (cause.caused_by) yield* everyCause(cause.caused_by);
  for (const root of cause.root_cause ?? []) if (root !== cause) yield* everyCause(root);
  for (const { reason } of cause.failed_shards ?? []) if (reason) yield* everyCause(reason);
}

function causeOf(body: unknown): EngineCause {
  if (typeof body === 'string') return { reason: body.slice(0, 300) };
  const { error } = (body ?? {}) as { readonly error?: EngineCause | string };
  if (typeof error === 'string') return { reason: error };
  return error ?? {};
}

function conflict(reason: string): TriadError {
  return /document already exists/.test(reason)
    ? new Conflict('already_exists', 'There is a document with this identifier already.')
    : new Conflict('version_conflict', 'The document was changed meanwhile. Read it again and repeat the change.');
}

function documentMissing(): TriadError {
  return new NotFound('document_missing', 'There is no document with this identifier.');
}

function tooManyBuckets(reason: string): TriadError {
  return new InvalidInput('too_many_buckets', `The answer would have more buckets than the server makes (${reason}).`);
}

function fieldLimitReached(reason: string): TriadError {
  const message = `The index has as many fields as it may have (${reason}). Raise index.mapping.total_fields.limit.`;
  return new InvalidInput('field_limit_reached', message);
}

function onlyAlias(reason: string): TriadError {
  return new NotFound('index_missing', `There is no such index, only an alias of that name (${reason}).`);
}

function writeBlockMissing(): TriadError {
  return new Conflict('write_block_missing', 'Block the writes to the index before it is cloned.');
}

function windowTooLarge(): TriadError {
  const message = 'Pages reach to 10,000 documents at most. Use a cursor (`deep_paging_id`) to go further.';
  return new InvalidInput('result_window_too_large', message);
}

function indexExists(reason: string): TriadError {
  return new Conflict('index_exists', `An index or alias of that name exists already (${reason}).`);
}

function invalidName(reason: string): TriadError {
  return /exists/.test(reason) ? indexExists(reason) : new InvalidInput('invalid_index_name', reason);
}

function aliasMissing(reason: string): TriadError {
  return new NotFound('alias_missing', `The alias is not on the index (${reason}). Nothing was switched.`);
}

function unknownCursor(): TriadError {
  return new InvalidInput('unknown_cursor', 'The cursor is unknown or was not used for too long. Start a new search.');
}

function documentRefused(reason: string): TriadError {
  return new InvalidInput('invalid_document', `The search engine does not take the document: ${reason}`);
}

function invalidQuery(reason: string): TriadError {
  if (reason.includes('maxClauseCount')) return tooManyClauses();
  return new InvalidInput('invalid_query', `The search engine does not take the query: ${reason}`);
}

/** A word without a field is a clause for each field; OpenSearch takes 1,024 unless told otherwise. */
function tooManyClauses(): TriadError {
  const message =
    'The query has more clauses than the search engine takes. Name the fields of its words, or have indices.query.bool.max_clause_count raised in the settings of the search engine.';
  return new InvalidInput('invalid_query', message);
}

function busy(reason: string): TriadError {
  return engineUnavailable(`The search engine has too much to do now (${reason}). Try again.`, RETRY_BUSY);
}

/** Returns the error of a lost request, without the text after `request:`, which is the document. */
function unreached(reason: string): TriadError {
  const said = reason.replace(/,? *request: .*$/s, '');
  return engineUnavailable(`A part of the search engine gives no answer (${said}). Try again.`);
}

/** @see https://www.elastic.co/docs/reference/elasticsearch/index-settings/index-block */
function blocked(reason: string, status: number): TriadError {
  if (/read-only-allow-delete|read-only \/ allow delete|create-index blocked|flood.?stage/i.test(reason)) {
    const message =
      'The disk of the search engine exceeds its watermark, so it rejects writes. Free disk space or add a node; writes resume automatically once there is room.';
    return new Unavailable('write_blocked', message, { retryAfter: 60 });
  }
  if (/index write|index read-only|cluster read-only/i.test(reason) && status !== 503) {
    const message = `The search engine rejects writes to the index: ${reason} A copy or an operator blocked them; try again later.`;
    return new Unavailable('write_blocked', message, { retryAfter: RETRY_UNREACHABLE });
  }
  return engineUnavailable(`The search engine cannot do it now: ${reason}`);
}

function credentialsRefused(reason: string, status: number): TriadError {
  const message =
    status === 403
      ? `The user or API key of the search engine lacks a privilege (${reason}). Grant it, or use another.`
      : 'The search engine refuses the user and password or the API key. Check <NAME>_HOST_APIKEY_ID and <NAME>_HOST_APIKEY_SECRET, or <NAME>_HOST_USERNAME and <NAME>_HOST_PASSWORD, of datastore.hosts.';
  return new Unavailable('datastore_credentials_refused', message);
}

/** The clients tell what happened by the sentence of Node alone. */
const CERTIFICATE_PROBLEM =
  /certificate|altnames|self.signed|fingerprint|CERT_|wrong version number|packet length too long|alert (?:handshake|bad|unknown)/i;
const NEVER_SENT = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|connect ETIMEDOUT|^$/;

/** The error of the port for a question that got no answer. `addresses` of the hosts, for the message. */
export function connectionError(error: unknown, addresses: string): TriadError {
  if (isTriadError(error)) return error;
  const detail = messageOf(error);
  if (nameOf(error) === 'ProductNotSupportedError') return wrongVendor('elasticsearch', addresses);
  if (CERTIFICATE_PROBLEM.test(detail)) {
    const message = `The certificate of the search engine at ${addresses} cannot be trusted (${detail}). Put the certificate of its authority as *.crt or *.pem into SVC_CERT_DIRECTORY, or set its fingerprint in datastore.hosts.`;
    return new Unavailable('datastore_certificate_refused', message, { cause: error });
  }
  const message = `The search engine at ${addresses} cannot be reached (${detail || 'no connection'}). Check that it runs and that datastore.hosts is right.`;
  return engineUnavailable(message, RETRY_UNREACHABLE, error);
}

export function isLastingProblem(error: unknown): boolean {
  return (
    isTriadError(error) || nameOf(error) === 'ProductNotSupportedError' || CERTIFICATE_PROBLEM.test(messageOf(error))
  );
}

/** Returns whether the request cannot have reached the server, so that a retry is safe. */
export function wasNeverSent(error: unknown): boolean {
  return NEVER_SENT.test(messageOf(error));
}

export function timeoutError(milliseconds: number, addresses: string, cause: unknown): TriadError {
  const why = cause === undefined ? '' : ` (${messageOf(cause) || 'no connection'})`;
  const message = `The search engine at ${addresses} gave no answer within ${milliseconds / 1000} seconds${why}. Check that it runs and that datastore.hosts is right.`;
  return engineUnavailable(message, RETRY_UNREACHABLE, cause);
}

export function wrongVendor(expected: 'elasticsearch' | 'opensearch', addresses: string): TriadError {
  const other = expected === 'elasticsearch' ? 'opensearch' : 'elasticsearch';
  const message = `datastore.type is ${expected}, but what answers at ${addresses} is not. Set datastore.type to ${other}, or datastore.hosts to the right servers.`;
  return new Unsupported('datastore_unsupported', message);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}
