import type { Config } from '../../config/config.ts';
import type { DispatchRules } from './progress/submission-machine.ts';

export interface DispatchSettings extends Omit<DispatchRules, 'dispatcher'> {
  /** Submissions that one process dispatches at the same time. */
  readonly maxInflight: number;
  /** Milliseconds without a worker after which the tasks of a service end; 0: never. */
  readonly absentAfter: number;
}

/** Returns the settings of dispatching from the configuration. */
export function dispatchSettings({ analysis }: Pick<Config, 'analysis'>): DispatchSettings {
  const { core, services, submission } = analysis;
  return {
    stages: services.stages,
    maxDepth: submission.max_extraction_depth,
    maxTemporaryLength: submission.max_temp_data_length,
    temporaryKeys: { ...submission.default_temporary_keys, ...submission.temporary_keys },
    safelist: services.safelist,
    maxInflight: core.dispatcher.max_inflight,
    absentAfter: services.absent_after * 1000,
  };
}
