import type { Submission } from '../../../documents/kinds/analysis/submission.ts';
import type { Task } from '../task.ts';
import type { DispatchedService } from './schedule.ts';
import type { FileState, StepState, SubmissionState } from './submission-state.ts';

export interface TaskSource {
  readonly state: SubmissionState;
  readonly step: StepState;
  readonly file: FileState;
  readonly service: DispatchedService;
  readonly safelist: Task['safelist_config'];
  readonly dispatcher: { readonly id: string; readonly address: string };
  readonly worker: string;
}

/** Returns the task of a step as its worker gets it, with the present data of the submission. */
export function buildTask({ state, step, file, service, safelist, dispatcher, worker }: TaskSource): Task {
  const { submission } = state;
  const { params } = submission;
  const info = file.info;
  if (info === null) throw new Error(`the file ${file.sha256} has no document`);
  return {
    task_id: step.taskId,
    sid: submission.sid,
    metadata: {
      ...(service.uses_metadata ? submission.metadata : {}),
      task_id__: step.taskId,
      dispatcher__: dispatcher.id,
      dispatcher_address__: dispatcher.address,
      worker__: worker,
    },
    min_classification: submission.classification,
    fileinfo: info,
    filename: file.name,
    service_name: service.name,
    service_config: serviceConfig(service, params),
    depth: file.depth,
    max_files: params.max_extracted,
    ttl: params.ttl,
    tags: service.uses_tags || service.uses_tag_scores ? tagsOf(file, service.uses_tag_scores) : [],
    temporary_submission_data: service.uses_temp_submission_data ? temporaryDataOf(state, file) : [],
    deep_scan: params.deep_scan,
    ignore_cache: params.ignore_cache,
    ignore_recursion_prevention: params.ignore_recursion_prevention,
    ignore_filtering: params.ignore_filtering,
    priority: params.priority,
    safelist_config: safelist,
    dispatcher: dispatcher.id,
    dispatcher_address: dispatcher.address,
  };
}

/** The defaults of the parameters of a service, overlaid by those of the submission. */
function serviceConfig(service: DispatchedService, params: Submission['params']): Record<string, unknown> {
  const given = Object.hasOwn(params.service_spec, service.name) ? params.service_spec[service.name] : undefined;
  const defaults = service.submission_params.map(({ name, default: value }) => [name, value ?? null] as const);
  return { ...Object.fromEntries(defaults), ...(typeof given === 'object' && given !== null ? given : {}) };
}

function tagsOf(file: FileState, withScores: boolean): Task['tags'] {
  return [...file.tags.values()].map(({ type, value, score }) => ({
    type,
    value,
    short_type: type.slice(type.lastIndexOf('.') + 1),
    ...(withScores ? { score } : {}),
  }));
}

function temporaryDataOf(state: SubmissionState, file: FileState): Task['temporary_submission_data'] {
  const data = [...state.shared.all(file.local)].filter(([name]) => name !== 'ancestry');
  return [...data.map(([name, value]) => ({ name, value })), { name: 'ancestry', value: file.ancestry }];
}

/** Returns the monitored values of a service, null for absent ones; undefined without such keys. */
export function monitoredValues(
  state: SubmissionState,
  file: FileState,
  service: DispatchedService,
): Readonly<Record<string, unknown>> | undefined {
  if (!service.uses_temp_submission_data || service.monitored_keys.length === 0) return undefined;
  return Object.fromEntries(service.monitored_keys.map((key) => [key, state.shared.get(key, file.local) ?? null]));
}
