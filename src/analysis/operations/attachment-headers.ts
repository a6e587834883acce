/** Returns the headers of a file that is downloaded (contract/analysis.md section 1.5). */
export function attachmentHeaders(name: string): Readonly<Record<string, string>> {
  // Characters that RFC 5987 does not allow, and that encodeURIComponent leaves.
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(/['()*!]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename=file.bin; filename*=UTF-8''${encoded}`,
  };
}
