import {
  analysisInterfaceSettings,
  analysisSubmissionSettings,
  analysisSystemSettings,
} from './analysis-interface-settings.ts';
import { analysisCoreSettings, analysisLimitSettings, analysisServiceSettings } from './analysis-scan-settings.ts';
import { analysisSessionSettings } from './analysis-session-settings.ts';
import { integer, onOff, optionalText, port, publicUrl, section, textList } from './setting-kinds.ts';

/** Limits of a user who has none of their own; 0 is unlimited. */
const defaultQuotas = section({
  concurrent_api_calls: integer({ description: 'Requests at the same time.', default: 10, minimum: 0 }),
  daily_api_calls: integer({ description: 'Requests a day.', default: 0, minimum: 0 }),
  concurrent_submissions: integer({ description: 'Submissions at the same time.', default: 5, minimum: 0 }),
  concurrent_async_submissions: integer({
    description: 'Concurrent asynchronous submissions.',
    default: 0,
    minimum: 0,
  }),
  daily_submissions: integer({ description: 'Submissions a day.', default: 0, minimum: 0 }),
});

/**
 * Settings of the analysis service alone; names as in the configuration of the public system
 * (contract/analysis.md section 10.1).
 */
export const analysisSettings = section({
  port: port('Port of the analysis service.', 5001),
  public_url: publicUrl('analysis'),
  auth: section({
    allow_2fa: onOff({ description: 'Users may set up one-time passwords as a second factor.', default: true }),
    allow_security_tokens: onOff({ description: 'Users may register security tokens.', default: true }),
  }),
  core: analysisCoreSettings,
  services: analysisServiceSettings,
  submission: section({ ...analysisSubmissionSettings, ...analysisLimitSettings }),
  system: analysisSystemSettings,
  ui: section({
    ...analysisInterfaceSettings,
    ...analysisSessionSettings,
    allow_url_submissions: onOff({ description: 'Files may be submitted by their address.', default: true }),
    default_quotas: defaultQuotas,
    ingest_max_priority: integer({
      description: 'Highest priority of files that come in bulk.',
      default: 250,
      minimum: 1,
      maximum: 1500,
    }),
    read_only: onOff({ description: 'Rejects changes except those of objects that the caller owns.', default: false }),
    tos: optionalText({
      description: 'Terms of service in Markdown. Users have to agree to them before they can do anything else.',
    }),
    tos_lockout: onOff({
      description: 'Users who agree are disabled until an administrator enables them.',
      default: false,
    }),
    tos_lockout_notify: textList({ description: 'E-mail addresses that are told about it.', default: [] }),
  }),
});
