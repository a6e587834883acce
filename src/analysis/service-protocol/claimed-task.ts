import { isObject } from '../../documents/schema/plain-objects.ts';
import { InvalidInput } from '../../errors/errors.ts';
import type { Task } from '../dispatching/task.ts';

/**
 * Reads the task that a worker sends with its result: enough to find the task as it was handed out.
 * Clients of the public system drop members that they do not know, so its identifier comes back in `metadata`.
 * @throws InvalidInput `invalid_task`
 */
export function claimedTask(sent: unknown): Task {
  const task = objectAt(sent, 'task');
  const file = objectAt(task.fileinfo, 'task.fileinfo');
  const metadata = isObject(task.metadata) ? task.metadata : {};
  const id = task.task_id ?? metadata.task_id__;
  if (!['string', 'number', 'bigint'].includes(typeof id)) throw invalidTask('task.task_id', 'a number as a string');
  return {
    ...UNKNOWN,
    task_id: String(id).slice(0, 100),
    sid: stringAt(task.sid, 'task.sid'),
    service_name: stringAt(task.service_name, 'task.service_name'),
    fileinfo: { ...UNKNOWN.fileinfo, sha256: stringAt(file.sha256, 'task.fileinfo.sha256') },
  };
}

const UNKNOWN: Task = {
  task_id: '',
  sid: '',
  metadata: {},
  min_classification: '',
  fileinfo: { magic: '', md5: '', sha1: '', sha256: '', size: 0, type: '' },
  filename: '',
  service_name: '',
  service_config: {},
  depth: 0,
  max_files: 0,
  ttl: 0,
  tags: [],
  temporary_submission_data: [],
  deep_scan: false,
  ignore_cache: false,
  ignore_recursion_prevention: false,
  ignore_filtering: false,
  priority: 0,
  safelist_config: { enabled: false, hash_types: [], enforce_safelist_service: false },
  dispatcher: '',
  dispatcher_address: '',
};

function objectAt(value: unknown, at: string): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw invalidTask(at, 'an object');
  return value;
}

function stringAt(value: unknown, at: string): string {
  if (typeof value !== 'string' || value === '' || value.length > 1000) throw invalidTask(at, 'a string');
  return value;
}

function invalidTask(at: string, allowed: string): InvalidInput {
  return new InvalidInput('invalid_task', `${at} must be ${allowed}.`, { at });
}
