package web

// pages lists the pages in the order of the navigation.
func pages() []page {
	return []page{
		homePage(),
		setupPage(),
		c64Page(),
		sessionPage(),
		logsPage(),
		supportPage(),
		updatePage(),
		erasePage(),
		morePage(),
		welcomePage(),
		signInPage(),
		jobsPage(),
		filesPage(),
	}
}
