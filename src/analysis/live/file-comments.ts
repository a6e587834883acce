/** Channel of files whose comments changed, `{ sha256 }`. */
export const FILE_CHANNEL = 'analysis.file_comments';
