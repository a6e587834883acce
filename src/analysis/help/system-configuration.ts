import type { Settings } from '../../config/config-schema.ts';

/** What submitters may know of the configuration, by the dotted keys of the public system (contract/analysis.md section 6, help). */
export function systemConfiguration({ analysis, ui }: Pick<Settings, 'analysis' | 'ui'>): object {
  const { core, services, submission } = analysis;
  return {
    'core.ingester.default_max_extracted': core.ingester.default_max_extracted,
    'core.ingester.default_max_supplementary': core.ingester.default_max_supplementary,
    // Analyzers run when there is something to do: none is kept waiting.
    'core.scaler.service_defaults.min_instances': 0,
    // With the analyzers of each, once there are some.
    'services.categories': services.categories.map((category) => [category, []]),
    'services.preferred_update_channel': services.preferred_update_channel,
    'services.stages': services.stages.map((stage) => [stage, []]),
    'submission.default_max_extracted': submission.default_max_extracted,
    'submission.default_max_supplementary': submission.default_max_supplementary,
    'submission.dtl': submission.dtl,
    'submission.max_dtl': submission.max_dtl,
    'submission.max_extraction_depth': submission.max_extraction_depth,
    'submission.max_file_size': submission.max_file_size,
    'submission.max_metadata_length': submission.max_metadata_length,
    'submission.tag_types.attribution': submission.tag_types.attribution,
    'submission.tag_types.behavior': submission.tag_types.behavior,
    'submission.tag_types.ioc': submission.tag_types.ioc,
    'submission.verdicts.info': submission.verdicts.info,
    'submission.verdicts.suspicious': submission.verdicts.suspicious,
    'submission.verdicts.highly_suspicious': submission.verdicts.highly_suspicious,
    'submission.verdicts.malicious': submission.verdicts.malicious,
    'ui.allow_raw_downloads': analysis.ui.allow_raw_downloads,
    'ui.allow_zip_downloads': analysis.ui.allow_zip_downloads,
    'ui.audit': ui.audit,
    'ui.default_zip_password': analysis.ui.default_zip_password,
    'ui.download_encoding': analysis.ui.download_encoding,
    'ui.enforce_quota': ui.enforce_quota,
    'ui.ingest_max_priority': analysis.ui.ingest_max_priority,
  };
}
