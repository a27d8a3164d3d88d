// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// The other half of 300 tools as public MCP servers have them: home, media, browser, system, learning.

/** A tool a line: name | what it does | parameters, "!" marks a required one. */
export const home = `
homeassistant__turn_on | Turn on a light, switch or other device | entity_id! string, area string
homeassistant__turn_off | Turn off a light, switch or other device | entity_id! string, area string
homeassistant__set_brightness | Set the brightness and color of a light | entity_id! string, brightness integer percent, color string
homeassistant__set_temperature | Set the target temperature of a thermostat or climate device | entity_id! string, temperature! number
homeassistant__get_state | Get the current state of an entity: sensor, door, window, temperature | entity_id! string
homeassistant__open_cover | Open blinds, shutters, a cover or a garage door | entity_id! string
homeassistant__close_cover | Close blinds, shutters, a cover or a garage door | entity_id! string
homeassistant__lock | Lock a door lock | entity_id! string
homeassistant__unlock | Unlock a door lock | entity_id! string
homeassistant__start_vacuum | Start the vacuum cleaner robot | entity_id! string, rooms array
homeassistant__activate_scene | Activate a scene, such as movie or night | scene_id! string
homeassistant__arm_alarm | Arm or disarm the alarm panel | mode! string
homeassistant__camera_snapshot | Take a snapshot from a camera | entity_id! string
homeassistant__energy_usage | Get the energy and electricity consumption of the house over a period | period string
spotify__play | Start playback of a track, album, artist or playlist on Spotify | uri string, query string
spotify__pause | Pause playback |
spotify__next_track | Skip to the next track |
spotify__previous_track | Go back to the previous track |
spotify__set_volume | Set the playback volume | volume_percent! integer
spotify__search | Search Spotify for tracks, albums, artists or playlists | query! string, type string
spotify__currently_playing | Get the track that is currently playing |
spotify__add_to_playlist | Add tracks to a playlist | playlist_id! string, uris! array
spotify__create_playlist | Create a playlist | name! string, public boolean
spotify__save_track | Save a track to your liked songs library | track_id! string
spotify__recommendations | Get recommendations based on seed artists, tracks and genres | seed_artists array, seed_genres array
spotify__transfer_playback | Transfer playback to another device | device_id! string
youtube__search_videos | Search YouTube for videos | query! string, maxResults integer
youtube__get_transcript | Get the transcript (captions) of a YouTube video | url! string, lang string
youtube__get_video_details | Get views, likes and description of a YouTube video | videoId! string
youtube__list_subscriptions | List the channels you subscribe to on YouTube |
youtube__add_to_watch_later | Add a video to the Watch Later list | videoId! string
plex__search_library | Search the Plex library for movies and shows | query! string
plex__play_media | Play a movie or episode on a Plex player | ratingKey! string, player! string
plex__recently_added | List recently added movies and episodes in Plex | limit integer
plex__mark_watched | Mark a movie or episode as watched | ratingKey! string
playwright__browser_navigate | Navigate the browser to a URL | url! string
playwright__browser_click | Click on an element of the web page | element! string, ref! string
playwright__browser_type | Type text into an editable element of the web page | ref! string, text! string, submit boolean
playwright__browser_take_screenshot | Take a screenshot of the current web page | filename string, fullPage boolean
playwright__browser_snapshot | Capture an accessibility snapshot of the current page |
playwright__browser_fill_form | Fill multiple form fields in a web page | fields! array
playwright__browser_tabs | List, create, close or select a browser tab | action! string, index integer
playwright__browser_pdf_save | Save the current page as PDF | filename string
playwright__browser_navigate_back | Go back to the previous page in the browser |
playwright__browser_console_messages | Returns all console messages of the page |
playwright__browser_network_requests | Returns all network requests since loading the page |
fetch__fetch | Fetch a URL from the internet and extract its contents as markdown | url! string, max_length integer, raw boolean
brave__web_search | Perform a web search with general queries, news and articles | query! string, count integer
brave__local_search | Search for local businesses and places, such as restaurants, with ratings and opening hours | query! string, count integer
brave__news_search | Search for recent news headlines | query! string, freshness string
brave__image_search | Search for pictures on the web | query! string
wikipedia__search | Search Wikipedia for articles | query! string
wikipedia__summary | Get the summary of a Wikipedia article | title! string
arxiv__search_papers | Search for scientific papers on arXiv | query! string, max_results integer, categories array
arxiv__download_paper | Download a paper from arXiv as PDF | paper_id! string
zotero__search_items | Search items in the Zotero reference library | query! string
zotero__add_item | Add an item to the Zotero library by DOI, ISBN or URL | identifier! string
zotero__get_bibliography | Make a formatted bibliography of Zotero items | items! array, style string
maps__directions | Get directions between two points: driving, walking, cycling or transit | origin! string, destination! string, mode string
maps__geocode | Convert an address into coordinates | address! string
maps__reverse_geocode | Convert coordinates into an address | latitude! number, longitude! number
maps__search_places | Search for places near a location | query! string, radius integer
maps__distance_matrix | Calculate travel distance and time for multiple origins and destinations | origins! array, destinations! array
maps__elevation | Get elevation data for locations | locations! array
maps__traffic | Get current traffic conditions and delays on a route | origin! string, destination! string
weather__get_forecast | Get the weather forecast for a location | location! string, days integer
weather__get_current | Get current weather conditions: temperature, rain, wind, humidity | location! string
weather__get_alerts | Get severe weather alerts and warnings of a region | region! string
weather__air_quality | Get the air quality index and pollen levels | location! string
weather__sun_times | Get sunrise and sunset times | location! string, date string
transit__departures | Live departures of trains, buses and trams from a station | station! string, line string
transit__plan_journey | Plan a journey by public transport | from! string, to! string, arriveBy string
flights__search | Search for flights with prices | origin! string, destination! string, date! string, passengers integer
flights__status | Get the status of a flight: delays, gate, arrival time | flight_number! string
hotels__search | Search for hotels and other accommodation | city! string, check_in! string, check_out! string, guests integer
todoist__create_task | Create a new task in Todoist with optional due date, priority | content! string, due_string string, priority integer
todoist__get_tasks | Get a list of tasks from Todoist | filter string, project_id string
todoist__complete_task | Mark a task as complete | task_name! string
todoist__update_task | Update an existing task: content, due date | task_name! string, due_string string
todoist__delete_task | Delete a task from Todoist | task_name! string
todoist__create_project | Create a project in Todoist | name! string
reminders__create | Create a reminder that rings at a time or place | title! string, time string, location string
reminders__list | List reminders | list string, completed boolean
clock__set_timer | Set a countdown timer | minutes! number, label string
clock__set_alarm | Set an alarm clock for a time of day | time! string, repeat array
clock__get_current_time | Get current time in a specific timezone | timezone! string
clock__convert_time | Convert time between timezones | source_timezone! string, time! string, target_timezone! string
obsidian__list_files_in_vault | List all files in the root of the Obsidian vault |
obsidian__get_file_contents | Return the content of a note in the vault | filepath! string
obsidian__simple_search | Search for text across all notes in the vault | query! string
obsidian__append_content | Append content to a new or existing note | filepath! string, content! string
obsidian__patch_content | Insert content into a note relative to a heading | filepath! string, heading! string, content! string
obsidian__daily_note | Get or create the daily note (journal) | date string
memory__create_entities | Create new entities in the knowledge graph | entities! array
memory__add_observations | Add observations to existing entities in the knowledge graph | observations! array
memory__search_nodes | Search for nodes in the knowledge graph | query! string
memory__delete_entities | Delete entities from the knowledge graph | entityNames! array
anki__add_note | Add a flashcard to an Anki deck | deck! string, front! string, back! string
anki__due_cards | Get the cards that are due for review | deck string
anki__deck_stats | Get statistics of a deck | deck! string
shell__execute_command | Execute a shell command and return its output | command! string, timeout_ms number
shell__list_processes | List running processes with CPU and memory usage | sort string
shell__kill_process | Terminate a running process by PID | pid! integer
system__disk_usage | How full the disks and partitions are | path string
system__memory_usage | Memory (RAM) and swap in use |
system__battery_status | Battery charge level and remaining time |
system__wifi_networks | List wireless networks in range with signal strength |
system__wifi_connect | Connect to a wireless network | ssid! string, password string
system__set_volume | Set the speaker volume or mute the sound of the computer | percent! integer
system__set_screen_brightness | Set the brightness of the display | percent! integer
system__screenshot | Capture the desktop screen | region string
system__clipboard_read | Read the text on the clipboard |
system__clipboard_write | Put text on the clipboard | text! string
system__notify | Show a desktop notification | title! string, body string
system__open_application | Launch an application by name | name! string
system__lock_screen | Lock the session |
system__suspend | Put the computer to sleep, reboot or power it off | action! string
system__journal | Read the system journal (syslog) for errors | unit string, since string, priority string
system__service_status | Status of a systemd service | unit! string
system__service_restart | Start, stop or restart a systemd service | unit! string, action! string
packages__search | Search for software packages that can be installed | query! string
packages__install | Install a software package | name! string
packages__upgrade | Upgrade all installed packages to their latest versions | security_only boolean
printer__print_file | Print a document on a printer | path! string, copies integer, duplex boolean
printer__list_jobs | List jobs in the print queue |
scanner__scan | Scan a sheet of paper to an image or PDF | resolution integer, format string
bluetooth__connect | Connect to a paired Bluetooth device such as headphones | device! string
bluetooth__list_devices | List Bluetooth devices with their battery |
photos__search | Search the photo library by person, place, date or thing | query! string, from string, to string
photos__create_album | Create a photo album | name! string, photoIds array
photos__share_album | Share a photo album by link | albumId! string
images__generate | Generate an image from a text prompt | prompt! string, size string, style string
images__resize | Resize or crop an image file | path! string, width integer, height integer
images__convert | Convert an image to another format | path! string, format! string
images__remove_background | Remove the background of a picture | path! string
pdf__extract_text | Extract the text of a PDF file | path! string, pages string
pdf__merge | Merge several PDF files into one | paths! array, output! string
pdf__split | Split a PDF into single pages | path! string, pages string
audio__transcribe | Transcribe speech of an audio file to text | path! string, language string
audio__speak | Synthesize speech from text | text! string, voice string
video__convert | Convert a video file to another format or size | path! string, format! string
video__extract_audio | Extract the sound track of a video file | path! string
translate__translate_text | Translate text from one language to another | text! string, target! string, source string
translate__detect_language | Detect the language of a text | text! string
dictionary__define | Definition, synonyms and pronunciation of a word | word! string
stocks__quote | Get the latest stock price of a company | symbol! string
currency__convert | Convert an amount between currencies at today's exchange rate | amount! number, from! string, to! string
crypto__price | Get the price of a cryptocurrency | coin! string
bank__list_transactions | List bank account transactions with date, payee and amount | from string, to string, account string
bank__account_balance | Get the balance of a bank account | account string
recipes__search | Search recipes by ingredients or dish | query! string, diet string
shopping__add_item | Add an item to the shopping list | item! string, quantity string
parcels__track | Track a parcel by its tracking number | number! string, carrier string
fitness__daily_summary | Steps, sleep and heart rate of a day | date string
qr__create_code | Create a QR code image of a text or link | text! string
passwords__find_login | Find the login of a site in the password store | site! string
`;
