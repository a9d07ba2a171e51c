/** Related words of what people see, hear and read: pages, apps, games, maps, media and prose. Form: developer-vocabulary.ts. */
export const WORDS_OF_INTERFACES = `
# Web front end
react jsx tsx hook useeffect usestate nextjs
vue nuxt pinia composable
svelte sveltekit runes
angular rxjs directive ngrx
state store redux zustand mobx pinia context
props attribute slot children
html markup dom tag element
dom element node selector
tailwind utility class css
sass scss less postcss css
flex flexbox grid layout align
center centre align middle
margin padding gap spacing gutter whitespace
responsive breakpoint mobile tablet viewport
navbar nav navigation menu sidebar header
footer header navbar sidebar
modal dialog popup overlay lightbox
tooltip popover hint hover
dropdown select combobox picker option
checkbox toggle switch radio
input field form textbox textarea
form validation submit input field
toast snackbar notification banner alert
tab panel accordion carousel
spinner loader loading skeleton progress
table grid row column datagrid
pagination paging page cursor infinite scroll
sort order rank
filter facet search query
search autocomplete typeahead suggestion lookup find
drag drop draggable dnd reorder
hover focus active cursor
animation transition motion keyframe easing
scroll scrollbar sticky parallax
dark light theme mode contrast
color colour palette hex hue swatch
font typeface typography serif monospace
shadow border radius corner rounded
gradient background backdrop hero
icon glyph emoji symbol
favicon logo brand
canvas webgl threejs svg shader
chart graph plot diagram axis legend
d3 chart visualization svg echarts
landing homepage hero marketing website
website site homepage webpage page
seo sitemap meta crawler robots opengraph
browser chrome firefox safari edge webkit
cookie localstorage sessionstorage storage session
cors origin preflight csp header
webpack vite rollup esbuild parcel bundler bundle
bundle chunk treeshaking minify lazy size
hydration ssr server rendering prerender
router routing redirect link
link href url anchor hyperlink
fetch axios xhr request ajax
websocket socket sse streaming realtime
polyfill transpile babel target compatibility
storybook story component
lighthouse lcp cls vitals pagespeed performance
pwa serviceworker offline manifest
eslint prettier biome oxlint lint
javascript js typescript ts ecmascript
typescript ts tsconfig strict type
electron tauri desktop window
iframe embed widget snippet
upload file attachment multipart dropzone
download export save file
clipboard copy paste
keyboard shortcut hotkey keybinding key
undo redo
# Design and user experience
ux usability experience interaction
figma mockup wireframe prototype sketch design
design token system styleguide component
style styleguide look aesthetic visual
onboarding tour walkthrough welcome wizard tutorial
persona user audience customer
flow journey funnel step
copy wording text microcopy copywriting tone
tone voice wording style formal
headline title heading tagline slogan
placeholder hint label caption
empty blank
accessibility a11y wcag aria contrast screenreader
aria role label screenreader accessibility
contrast readable readability legible visibility
alt image caption description
blind screenreader voiceover nvda
# Languages and regions
i18n internationalization localization translation locale l10n
translate translator localize multilingual
locale language region country
plural icu gettext pluralization
rtl arabic hebrew bidi
encoding utf8 unicode charset ascii mojibake
unicode emoji character codepoint
timezone utc tz dst offset
date datetime timestamp time iso8601
currency money price locale exchange
english german french spanish language
british american spelling english
spelling typo grammar misspelling
# Mobile
ios swift swiftui xcode iphone ipad
android kotlin gradle apk jetpack
flutter dart widget
reactnative expo metro mobile
mobile phone smartphone app device
appstore playstore store submission testflight
testflight beta tester
simulator emulator device
push notification apns fcm firebase
deeplink universal link scheme
gesture swipe tap touch pinch
battery power energy drain
pod cocoapods spm podfile
gradle maven jar
# Games
game gameplay player level
unity godot unreal engine
sprite texture asset tileset atlas
level map world
enemy npc boss monster mob
fps framerate frame tick
physics collision collider rigidbody
shader glsl hlsl material
mesh model blender vertex polygon
score highscore leaderboard points
multiplayer netcode lobby matchmaking
balance difficulty tuning
quest dialogue story narrative
inventory item loot crafting
save checkpoint savegame
camera viewport perspective
animation rig skeleton blender
input controller gamepad joystick
# Pictures, sound and film
image picture photo png jpg jpeg webp
resize crop scale thumbnail
thumbnail preview cover poster
generate render draw illustration
illustration drawing artwork art
screenshot capture playwright puppeteer
video clip footage film mp4
ffmpeg codec transcode encode video
codec h264 hevc av1 bitrate
subtitle caption transcript srt vtt
transcript whisper speech dictation
speech voice tts audio spoken
audio sound music wav mp3
music song track melody midi
volume loudness gain decibel
microphone recording mic
podcast episode audio
stream hls rtmp broadcast
camera webcam video
color grading lut tint
youtube video channel upload
pdf print printer page a4
print paper pdf printer
ocr scan text
qr barcode code scan
# Maps
map tile leaflet mapbox openstreetmap osm
geo geospatial gis postgis coordinate
latitude longitude coordinate location gps
location address place geocode
route directions navigation distance
marker pin poi place
geojson shapefile polygon layer
projection crs epsg wgs84
satellite imagery raster aerial
# Prose and documents
readme documentation docs introduction quickstart
doc documentation manual guide tutorial
docs mkdocs docusaurus sphinx typedoc
markdown md mdx formatting
article blog post essay newsletter
blog post article publish
draft outline sketch
edit proofread revise copyedit rewrite
summary summarize tldr digest overview recap
report summary findings writeup
write author compose draft
paragraph sentence section chapter
chapter book section manuscript
presentation slide deck powerpoint keynote
spreadsheet excel xlsx csv sheet
docx document
bullet list
dash em hyphen punctuation
emoji emojis smiley icon
diagram mermaid flowchart plantuml drawing
glossary term terminology vocabulary definition
changelog release notes history news
comment remark annotation
example sample snippet demo
demo showcase example presentation
tutorial lesson course guide howto
license mit apache gpl copyright
wiki confluence notion knowledge
notion wiki docs
template boilerplate scaffold skeleton
faq question
long verbose lengthy wordy short brief concise terse
`;
