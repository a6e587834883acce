/** Sections of each version of the interface, as clients show them in their help. */
export const API_SECTIONS = {
  v1: {
    documentation: 'Api Documentation Version 1',
    v1_action: 'Endpoints relating to bulk actions and automation',
    v1_analytic: 'Manage the analytics that create hits',
    v1_auth: 'Allow user to authenticate to the web server',
    v1_configs: 'Read configuration data about the system',
    v1_dossier: 'Manage the different dossiers created for filtering hits',
    v1_help: 'Provide information about the system configuration',
    v1_hit: 'Manage the different hits in the system',
    v1_overview: 'Manage the different overviews created for viewing hits',
    v1_search: 'Perform search queries',
    v1_template: 'Manage the different templates created for viewing hits',
    v1_tools: 'Manage the tools',
    v1_user: 'Manage the different users of the system',
    v1_view: 'Manage the different views created for filtering hits',
  },
  v2: {
    documentation: 'Api Documentation Version 2',
    v2_case: 'Manage the different cases created',
    v2_fuzzy: 'Perform fuzzy plain-text searches across indexes',
    v2_ingest: 'Manage the different records across indexes',
    v2_search: 'Perform search queries',
    v2_task: 'Search tasks assigned to the authenticated user',
  },
} as const;

export type ApiVersion = keyof typeof API_SECTIONS;
