// The fonts of the server, as this page loads them: with its key, and as a file that the page may use.

import {askForFile} from './server.js'

const fonts = new Map()

/** Loads a font of the server, if it is not here yet. `url` is that of the list of fonts. */
export function loadFont({name, url}) {
  if (!fonts.has(name)) {
    const loading = (async () => {
      const file = await askForFile(url.slice(url.lastIndexOf('/fonts/')))
      document.fonts.add(await new FontFace(name, await file.arrayBuffer()).load())
    })()
    fonts.set(name, loading)
    // Who asks next tries again.
    loading.catch(() => fonts.delete(name))
  }
  return fonts.get(name)
}
