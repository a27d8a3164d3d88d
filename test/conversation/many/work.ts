// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// Half of 300 tools as public MCP servers have them: files, code, chat, mail, documents.

/** A tool a line: name | what it does | parameters, "!" marks a required one. */
export const work = `
filesystem__read_text_file | Read the complete contents of a file from the file system as text | path! string, head number first N lines, tail number last N lines
filesystem__read_media_file | Read an image or audio file, returned as base64 with its MIME type | path! string
filesystem__read_multiple_files | Read the contents of multiple files simultaneously | paths! array of file paths
filesystem__write_file | Create a new file or completely overwrite an existing file with new content | path! string, content! string
filesystem__edit_file | Make line-based edits to a text file, returns a git-style diff | path! string, edits! array, dryRun boolean
filesystem__create_directory | Create a new directory or ensure a directory exists | path! string
filesystem__list_directory | Get a detailed listing of all files and directories in a specified path | path! string
filesystem__list_directory_with_sizes | List files and directories in a path including their sizes | path! string, sortBy string name or size
filesystem__directory_tree | Get a recursive tree view of files and directories as a JSON structure | path! string
filesystem__move_file | Move or rename files and directories | source! string, destination! string
filesystem__search_files | Recursively search for files and directories matching a pattern | path! string, pattern! string, excludePatterns array
filesystem__get_file_info | Retrieve detailed metadata about a file: size, creation time, modified time, permissions | path! string
git__git_status | Shows the working tree status | repo_path! string
git__git_diff_unstaged | Shows changes in the working directory that are not yet staged | repo_path! string, context_lines integer
git__git_diff_staged | Shows changes that are staged for commit | repo_path! string
git__git_diff | Shows differences between branches or commits | repo_path! string, target! string
git__git_commit | Records changes to the repository | repo_path! string, message! string
git__git_add | Adds file contents to the staging area | repo_path! string, files! array
git__git_reset | Unstages all staged changes | repo_path! string
git__git_log | Shows the commit logs | repo_path! string, max_count integer, start_timestamp string, end_timestamp string
git__git_create_branch | Creates a new branch from an optional base branch | repo_path! string, branch_name! string
git__git_checkout | Switches branches | repo_path! string, branch_name! string
git__git_show | Shows the contents of a commit | repo_path! string, revision! string
git__git_blame | Shows who last changed each line of a file | repo_path! string, file! string
github__create_issue | Create a new issue in a GitHub repository | owner! string, repo! string, title! string, body string, labels array
github__list_issues | List issues in a GitHub repository with filtering options | owner! string, repo! string, state string, labels array
github__get_issue | Get details of a specific issue in a GitHub repository | owner! string, repo! string, issue_number! integer
github__add_issue_comment | Add a comment to a specific issue | owner! string, repo! string, issue_number! integer, body! string
github__create_pull_request | Create a new pull request in a GitHub repository | owner! string, repo! string, title! string, head! string, base! string
github__merge_pull_request | Merge a pull request | owner! string, repo! string, pullNumber! integer, merge_method string
github__list_pull_requests | List pull requests in a GitHub repository | owner! string, repo! string, state string
github__get_pull_request_diff | Get the diff of a pull request | owner! string, repo! string, pullNumber! integer
github__search_code | Search for code across GitHub repositories | query! string, sort string
github__search_repositories | Search for GitHub repositories | query! string
github__list_workflow_runs | List the runs of a workflow in GitHub Actions (CI builds) with their result | owner! string, repo! string, workflow_id string, status string
github__fork_repository | Fork a GitHub repository to your account or organization | owner! string, repo! string
slack__list_channels | List public channels in the workspace | limit number, cursor string
slack__post_message | Post a new message to a Slack channel | channel_id! string, text! string
slack__reply_to_thread | Reply to a specific message thread in Slack | channel_id! string, thread_ts! string, text! string
slack__add_reaction | Add a reaction emoji to a message | channel_id! string, timestamp! string, reaction! string
slack__get_channel_history | Get recent messages from a channel | channel_id! string, limit number
slack__get_thread_replies | Get all replies in a message thread | channel_id! string, thread_ts! string
slack__get_users | Get a list of all users in the workspace with their profiles | limit number
slack__get_user_profile | Get detailed profile information for a specific user: phone, title, time zone | user_id! string
slack__set_status | Set your own presence status text and emoji in Slack | text! string, emoji string, expiration integer
slack__search_messages | Search messages in the Slack workspace | query! string
slack__upload_file | Upload a file to a Slack channel | channel_id! string, file! string
slack__schedule_message | Schedule a message to be posted to a channel later | channel_id! string, text! string, post_at! integer
gmail__send_email | Send a new email | to! array recipients, subject! string, body! string, cc array, attachments array
gmail__draft_email | Create a draft email without sending it | to! array, subject! string, body! string
gmail__read_email | Read the content of a specific email message | messageId! string
gmail__search_emails | Search for emails using Gmail search syntax (from, subject, unread, date) | query! string, maxResults integer
gmail__modify_email | Modify email labels: archive, mark read or unread, move to folders | messageId! string, addLabelIds array, removeLabelIds array
gmail__delete_email | Permanently delete an email | messageId! string
gmail__list_email_labels | List all available Gmail labels |
gmail__create_filter | Create a filter that handles incoming email automatically | criteria! object, action! object
gmail__download_attachment | Download an email attachment to a folder | messageId! string, attachmentId! string, savePath string
gmail__reply_to_email | Reply to an email in its thread | messageId! string, body! string, replyAll boolean
gmail__forward_email | Forward an email to other recipients | messageId! string, to! array
gmail__set_vacation_responder | Turn the out-of-office auto reply on or off | enabled! boolean, subject string, body string, until string
gcal__list_events | List calendar events in a time range | calendarId string, timeMin! string, timeMax! string
gcal__create_event | Create a new calendar event | summary! string, start! string, end! string, location string, attendees array
gcal__update_event | Update an existing calendar event | eventId! string, summary string, start string, end string
gcal__delete_event | Delete a calendar event | eventId! string
gcal__search_events | Search calendar events by text | query! string, timeMin string
gcal__get_freebusy | Query free/busy information for calendars of people | calendars! array, timeMin! string, timeMax! string
gcal__list_calendars | List all available calendars |
gcal__respond_to_event | Respond to an invitation: accept, decline or tentative | eventId! string, response! string
gdrive__search | Search for files in Google Drive | query! string
gdrive__read_file | Read the contents of a file in Google Drive | fileId! string
gdrive__share_file | Share a Google Drive file with another person | fileId! string, email! string, role string
gdrive__upload_file | Upload a local file to Google Drive | path! string, folderId string
sheets__read_range | Read cells of a Google Sheets spreadsheet | spreadsheetId! string, range! string
sheets__update_cells | Write values into cells of a spreadsheet | spreadsheetId! string, range! string, values! array
sheets__append_row | Append a row to a spreadsheet | spreadsheetId! string, values! array
sheets__create_spreadsheet | Create a new Google Sheets spreadsheet | title! string
docs__create_document | Create a new Google Docs document | title! string, content string
docs__append_text | Append text at the end of a Google Docs document | documentId! string, text! string
contacts__search | Search the address book for a person's phone number, email or address | query! string
contacts__create | Create a new contact | name! string, phone string, email string, birthday string
contacts__list_birthdays | List upcoming birthdays of contacts | days integer
notion__search | Search pages and databases in Notion by title | query! string
notion__create_page | Create a page in Notion | parent! object, properties! object, content string
notion__append_block_children | Append blocks to a Notion page | block_id! string, children! array
notion__query_database | Query a Notion database with filters and sorts | database_id! string, filter object
notion__retrieve_page | Retrieve a Notion page | page_id! string
jira__search_issues | Search Jira issues with JQL | jql! string, maxResults integer
jira__create_issue | Create a Jira issue: bug, task or story | project! string, summary! string, issuetype! string, assignee string
jira__transition_issue | Transition a Jira issue to another status, such as In Progress or Done | issueKey! string, transition! string
jira__add_comment | Add a comment to a Jira issue | issueKey! string, body! string
jira__add_worklog | Log time spent on a Jira issue | issueKey! string, timeSpent! string
jira__get_sprint | Get the issues of the active sprint of a board | boardId! integer
linear__create_issue | Create a Linear issue | title! string, teamId! string, description string, priority integer
linear__list_my_issues | List Linear issues assigned to me | state string
linear__update_issue | Update a Linear issue | id! string, state string, priority integer
confluence__search | Search Confluence pages with CQL | query! string
confluence__get_page | Get the content of a Confluence page | pageId! string
confluence__create_page | Create a Confluence wiki page | spaceKey! string, title! string, content! string
sentry__list_issues | List unresolved error issues (crashes, exceptions) of a Sentry project | project! string, query string
sentry__get_issue_details | Get the stack trace and details of a Sentry issue | issue_id! string
sentry__resolve_issue | Mark a Sentry issue as resolved | issue_id! string
postgres__query | Run a read-only SQL query against the PostgreSQL database | sql! string
postgres__list_tables | List the tables of the PostgreSQL database | schema string
postgres__describe_table | Show the columns and types of a table | table! string
sqlite__read_query | Execute a SELECT query on the SQLite database | query! string
sqlite__write_query | Execute an INSERT, UPDATE or DELETE query on the SQLite database | query! string
sqlite__create_table | Create a new table in the SQLite database | query! string
mongodb__find | Run a find query against a MongoDB collection | database! string, collection! string, filter object, limit integer
mongodb__aggregate | Run an aggregation pipeline against a MongoDB collection | collection! string, pipeline! array
mongodb__insert_many | Insert documents into a MongoDB collection | collection! string, documents! array
redis__get | Get the string value of a Redis key | key! string
redis__set | Set a Redis key to a value with an optional expiration time | key! string, value! string, expiration integer
redis__keys | List Redis keys matching a pattern | pattern string
kubernetes__pods_list | List the Kubernetes pods of a namespace or of the whole cluster | namespace string, labelSelector string
kubernetes__pods_log | Get the logs of a Kubernetes pod | name! string, namespace string, tail integer
kubernetes__pods_delete | Delete a Kubernetes pod | name! string, namespace string
kubernetes__pods_exec | Execute a command in a Kubernetes pod | name! string, command! array
kubernetes__resources_scale | Scale a Kubernetes deployment to a number of replicas | name! string, scale! integer
kubernetes__nodes_top | Show CPU and memory consumption of the Kubernetes nodes | name string
kubernetes__events_list | List the Kubernetes events for debugging of a cluster | namespace string
kubernetes__resources_create_or_update | Create or update a Kubernetes resource from a YAML manifest | resource! string
docker__list_containers | List Docker containers | all boolean
docker__start_container | Start a stopped Docker container | container! string
docker__stop_container | Stop a running Docker container | container! string
docker__restart_container | Restart a Docker container | container! string
docker__container_logs | Fetch the logs of a Docker container | container! string, tail integer
docker__list_images | List Docker images | name string
docker__pull_image | Pull a Docker image from a registry | repository! string, tag string
docker__prune | Remove unused Docker images, volumes and containers to free disk space | what string
grafana__query_prometheus | Query Prometheus metrics with PromQL | expr! string, startTime string, endTime string
grafana__query_loki_logs | Query Loki logs with LogQL | logql! string
grafana__search_dashboards | Search for Grafana dashboards | query! string
grafana__list_alert_rules | List alert rules and whether they are firing | limit integer
cloudflare__dns_records_list | List the DNS records of a zone | zone! string, type string
cloudflare__dns_record_create | Create a DNS record in a zone | zone! string, type! string, name! string, content! string
cloudflare__purge_cache | Purge the CDN cache of a zone | zone! string, urls array
stripe__list_customers | Fetch a list of customers from Stripe | limit integer, email string
stripe__create_invoice | Create an invoice for a customer in Stripe | customer! string, days_until_due integer
stripe__create_refund | Refund a payment intent in Stripe | payment_intent! string, amount integer
stripe__retrieve_balance | Retrieve the balance of the Stripe account |
stripe__create_payment_link | Create a payment link in Stripe | price! string, quantity integer
zoom__create_meeting | Create a Zoom video meeting and return its join link | topic! string, start_time! string, duration integer
zoom__list_recordings | List cloud recordings of Zoom meetings | from string, to string
zoom__get_transcript | Get the transcript of a recorded Zoom meeting | meetingId! string
`;
