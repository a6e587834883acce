import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Json = any;

const KEY = 'ThisIsARandomAuthKey...ChangeMe!';
const VERSION = '1.0.0.1';

export interface WorkerAnswer {
  readonly status: number;
  /** `api_response` */
  readonly data: Json;
  readonly message: string;
}

/** For tests: a worker of a service that calls over the protocol, one call at a time. */
export class ScriptedWorker {
  readonly name: string;
  readonly #service: string;
  readonly #url: string;

  constructor(url: string, service: string, name = `${service}-1`) {
    this.#url = url;
    this.#service = service;
    this.name = name;
  }

  /** Registers the service. @param changes members of its manifest */
  async register(changes: object = {}): Promise<void> {
    const manifest = {
      ...{ name: this.#service, version: VERSION, enabled: true, accepts: '.*', rejects: 'empty|metadata/.*' },
      ...{ category: 'Static Analysis', stage: 'CORE', timeout: 60, docker_config: { image: 'none/test' } },
      ...changes,
    };
    const { status, message } = await this.call('PUT', '/api/v1/service/register/', { json: manifest });
    assert.equal(status, 200, message);
  }

  /** Asks for a task; undefined when none comes within so many seconds. */
  async poll(seconds: number, signal?: AbortSignal): Promise<Json | undefined> {
    const headers = { Timeout: String(seconds) };
    const { status, data, message } = await this.call('GET', '/api/v1/task/', { headers, signal });
    assert.equal(status, 200, message);
    return data.task === false ? undefined : data.task;
  }

  /** Delivers a result. @param changes members of the result */
  deliver(task: Json, changes: { readonly response?: object } & Record<string, unknown> = {}): Promise<WorkerAnswer> {
    return this.call('POST', '/api/v1/task/', { json: { task, result: resultOf(task, changes), freshen: true } });
  }

  /** Delivers an error. */
  fail(task: Json, message: string, status = 'FAIL_RECOVERABLE'): Promise<WorkerAnswer> {
    const response = { message, status, service_name: this.#service, service_version: VERSION };
    const error = { response, sha256: task.fileinfo.sha256, type: 'EXCEPTION' };
    return this.call('POST', '/api/v1/task/', { json: { task, error } });
  }

  /** Uploads an extracted file. @param content the bytes that are sent. Default: those of the text */
  upload(task: Json, text: string, content = text): Promise<WorkerAnswer> {
    const form = new FormData();
    form.set('file', new Blob([content]), 'extracted');
    return this.call('PUT', '/api/v1/file/', { headers: uploadHeaders(task, text), form });
  }

  /** Returns the headers of every call. */
  get headers(): Record<string, string> {
    return {
      'X-APIKey': KEY,
      'Container-ID': this.name,
      'Service-Name': this.#service,
      'Service-Version': VERSION,
      'Service-Tool-Version': '',
    };
  }

  async call(
    method: string,
    path: string,
    options: {
      readonly headers?: Record<string, string>;
      readonly json?: unknown;
      readonly form?: FormData;
      readonly signal?: AbortSignal | undefined;
    } = {},
  ): Promise<WorkerAnswer> {
    const { json, form, signal } = options;
    const headers = new Headers({ ...this.headers, ...options.headers });
    if (json !== undefined) headers.set('content-type', 'application/json');
    const content = json === undefined ? form : JSON.stringify(json);
    const answer = await fetch(`${this.#url}${path}`, {
      method,
      headers,
      ...(content === undefined ? {} : { body: content }),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    const { api_response: data, api_error_message: message = '' } = isJson ? JSON.parse(text) : {};
    return { status: answer.status, data: isJson ? data : text, message };
  }
}

/** Returns the headers of the upload of an extracted file. */
export function uploadHeaders({ min_classification }: Json, text: string): Record<string, string> {
  return { Sha256: digestOf(text), Classification: min_classification, Ttl: '1', 'Is-Supplementary': 'False' };
}

/** Returns an entry of an extracted file. */
export function extractedFile({ min_classification: classification }: Json, text: string): object {
  return { name: 'child.txt', sha256: digestOf(text), description: 'inside', classification };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function resultOf(task: Json, { response, ...changes }: { readonly response?: object } & Record<string, unknown>) {
  const { fileinfo, service_name, min_classification: classification } = task;
  const time = new Date().toISOString();
  return {
    classification,
    response: {
      milestones: { service_started: time, service_completed: time },
      ...{ service_name, service_version: VERSION, service_tool_version: null, supplementary: [], extracted: [] },
      ...response,
    },
    result: { score: 0, sections: [{ title_text: 'Seen', body: 'x', body_format: 'TEXT', classification, depth: 0 }] },
    ...{ sha256: fileinfo.sha256, type: fileinfo.type, size: fileinfo.size },
    ...{ drop_file: false, partial: false, temp_submission_data: {} },
    ...changes,
  };
}
