import { choice, integer, onOff, optionalText, section, text, textList } from './setting-kinds.ts';

/** Settings of the installation for clients of the analysis service, below `analysis.ui`. */
export const analysisInterfaceSettings = {
  alerting_meta: section({
    important: textList({
      description: 'Metadata of a submission that its alert always shows.',
      default: [
        'original_source',
        'protocol',
        'subject',
        'submitted_url',
        'source_url',
        'url',
        'web_url',
        'from',
        'to',
        'cc',
        'bcc',
        'ip_src',
        'ip_dst',
        'source',
      ],
    }),
    subject: textList({ description: 'Metadata that holds the subject of an e-mail.', default: ['subject'] }),
    url: textList({
      description: 'Metadata that holds an address.',
      default: ['submitted_url', 'source_url', 'url', 'web_url'],
    }),
  }),
  allow_malicious_hinting: onOff({ description: 'Submitters may say that a file is malicious.', default: false }),
  allow_raw_downloads: onOff({ description: 'Files may be downloaded as they are.', default: true }),
  allow_replay: onOff({ description: 'Users may send submissions on to another installation.', default: false }),
  allow_zip_downloads: onOff({ description: 'Files may be downloaded in archives with a password.', default: true }),
  banner: optionalText({ description: 'Text on top of the page where files are submitted.' }),
  banner_level: choice(['info', 'success', 'warning', 'error'], {
    description: 'How important the banner is.',
    default: 'info',
  }),
  community_feed: text({ description: 'Address of the list of services that the community makes.', default: '' }),
  default_zip_password: text({ description: 'Password of archives of users who chose none.', default: 'infected' }),
  download_encoding: choice(['cart', 'raw', 'zip'], {
    description: 'How files are downloaded by users who chose nothing.',
    default: 'cart',
  }),
  fqdn: text({ description: 'Name that this installation is reached by.', default: 'localhost' }),
  rss_feeds: textList({ description: 'Addresses of news that the web interface shows.', default: [] }),
  services_feed: text({ description: 'Address of the list of services.', default: '' }),
  url_submission_auto_service_selection: textList({
    description: 'Services that are chosen when an address is submitted.',
    default: ['URLDownloader'],
  }),
};

/** Limits of submissions, below `analysis.submission`. */
export const analysisSubmissionSettings = {
  dtl: integer({ description: 'Days until a submission is deleted; 0 never.', default: 30, minimum: 0 }),
  max_dtl: integer({
    description: 'Most days that submitters may ask for; 0 is unlimited.',
    default: 0,
    minimum: 0,
  }),
  max_file_size: integer({ description: 'Largest file in bytes.', default: 104_857_600, minimum: 1 }),
  verdicts: section({
    info: integer({ description: 'Lowest score that says anything.', default: 0, minimum: 0 }),
    suspicious: integer({ description: 'Lowest score of a suspicious file.', default: 300, minimum: 0 }),
    highly_suspicious: integer({
      description: 'Lowest score of a highly suspicious file.',
      default: 700,
      minimum: 0,
    }),
    malicious: integer({ description: 'Lowest score of a malicious file.', default: 1000, minimum: 0 }),
  }),
};

/** The operator of the installation, below `analysis.system`. */
export const analysisSystemSettings = section({
  organisation: text({ description: 'Name of the organisation.', default: 'ACME' }),
  support: section({
    documentation: text({
      description: 'Address of the documentation for users.',
      default: 'https://cybercentrecanada.github.io/assemblyline4_docs/',
    }),
    email: optionalText({ description: 'E-mail address of the people who help users.' }),
  }),
});
