import type { AnalyzerRequest } from '../analyzer.ts';

const MAX_PASSWORDS = 2000;
const MAX_PASSWORD_LENGTH = 1024;

/**
 * Returns the passwords to try, each once.
 * They are those of the submitter, of the configuration, of other services, and parts of the name of the file.
 */
export function passwordsOf({ parameters, config, temporaryData, file }: AnalyzerRequest): readonly string[] {
  const nameParts = file.name.split('.').map((_, index, parts) => parts.slice(0, index + 1).join('.'));
  const given = [
    parameters.password,
    config.default_pw_list,
    temporaryData.email_body,
    temporaryData.passwords,
    nameParts.slice(0, 100),
  ].flat();
  const usable = given.filter(
    (one): one is string => typeof one === 'string' && one !== '' && one.length <= MAX_PASSWORD_LENGTH,
  );
  return [...new Set(usable)].slice(0, MAX_PASSWORDS);
}
