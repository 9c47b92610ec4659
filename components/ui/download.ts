/** Hands a file to the browser's own download. */
export function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the file after this task.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

export const downloadCsv = (name: string, text: string): void =>
  download(name, new Blob([text], { type: 'text/csv;charset=utf-8' }));
